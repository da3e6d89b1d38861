import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { GenerateCaptionsRequest } from "#contract/captions.ts";
import { openTestDatabase } from "#tests/support/servers/databases/database.ts";
import { TEST_HOSTS } from "#tests/support/test-context.ts";
import { type OpenAiTwin, startOpenAiTwin, TWIN_KEY } from "#tests/support/twins/openai/openai-twin.ts";
import { type ActorContext, TERMINAL } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { addCaptionSet } from "../sets/change-sets.ts";
import { createSecretBox } from "../settings/secret-box.ts";
import { saveServiceKey } from "../settings/service-key.ts";
import { captionKey, generateCaptions } from "./generate-captions.ts";

const CUSTOM = { generationMode: "custom", customPrompt: "About tea" } as const;
let twin: OpenAiTwin;
let context: Pick<Context, "db" | "secrets" | "openAi" | "hosts"> & ActorContext;
let close: () => Promise<void>;

beforeAll(async () => {
  const database = await openTestDatabase();
  twin = await startOpenAiTwin();
  context = {
    actor: TERMINAL,
    db: database.db,
    secrets: createSecretBox("a secret for tests that is long enough"),
    openAi: { baseUrl: twin.url, model: "a-model" },
    hosts: TEST_HOSTS,
  };
  close = async () => {
    await twin.close();
    await database.close();
  };
});
beforeEach(async () => {
  twin.behave(() => ({ kind: "normal" }));
  twin.chats.length = 0;
  await saveServiceKey(context, "openai_key", TWIN_KEY);
});
afterAll(() => close());

function generate(request: GenerateCaptionsRequest, signal = new AbortController().signal) {
  return generateCaptions(context, request, signal);
}

describe("custom mode", () => {
  it("returns exactly as many captions as requested, and requests missing ones again", async () => {
    const responses = [
      ["1. Tea time!", "2. tea time 🍵", "3. Old one"],
      ['"Slow mornings"', "TEA TIME"],
      ["Sip by sip"],
    ];
    twin.behave((_, nth) => ({ kind: "normal", captions: responses[nth - 1]! }));
    const { captions, rounds, use } = await generate({ ...CUSTOM, count: 3, existingCaptions: ["OLD ONE…"] });
    expect(captions).toEqual(["Tea time!", "Slow mornings", "Sip by sip"]);
    expect(rounds).toBe(3);
    expect(twin.chats.map((chat) => chat.count)).toEqual([3, 2, 1]);
    expect(twin.chats[2]!.text).toContain("Slow mornings");
    expect(use.inputTokens).toBe(300);
  });

  it.each([1, 5, 100])("returns %d distinct captions", async (count) => {
    const { captions } = await generate({ ...CUSTOM, count });
    expect(new Set(captions.map(captionKey)).size).toBe(count);
    expect(captions).toHaveLength(count);
  });

  it("sends the prompt and the notes, and requests five captions by default", async () => {
    await generate({ ...CUSTOM, customNotes: "No hashtags" });
    expect(twin.chats[0]).toMatchObject({ count: 5 });
    expect(twin.chats[0]!.text).toContain("About tea");
    expect(twin.chats[0]!.text).toContain("No hashtags");
  });

  it("gives up on a model that repeats itself, and reports it", async () => {
    twin.behave(() => ({ kind: "normal", captions: ["Same", "same!"] }));
    await expect(generate({ ...CUSTOM, count: 2 })).rejects.toThrow(
      "OpenAI returned only 1 of 2 distinct captions. Request fewer, or change the prompt.",
    );
    expect(twin.chats).toHaveLength(5);
  });

  it("stops requesting when the caller disconnects", async () => {
    twin.behave(() => ({ kind: "gated" }));
    const leaving = new AbortController();
    const asked = generate({ ...CUSTOM }, leaving.signal);
    await expect.poll(() => twin.chats.length).toBe(1);
    leaving.abort();
    await expect(asked).rejects.toMatchObject({ code: "cancelled" });
  });
});

describe("reference mode", () => {
  // spec 3.5, 7.9
  it("shows the set to the model, and repeats none of it", async () => {
    const set = await context.db
      .transaction()
      .execute((trx) => addCaptionSet({ ...context, trx }, { name: "Tea", captions: ["First sip", "Second sip"] }));
    twin.behave((_, nth) => ({ kind: "normal", captions: nth === 1 ? ["first SIP!", "Third sip"] : ["Fourth sip"] }));
    const { captions } = await generate({ generationMode: "reference", captionSetId: set.id, count: 2 });
    expect(captions).toEqual(["Third sip", "Fourth sip"]);
    expect(twin.chats[0]!.text).toContain("First sip\nSecond sip");
  });

  it.each([
    ["no set", null, "Caption Set Required", "Select a caption set to use as a reference"],
    [
      "a set that is gone",
      "00000000-0000-4000-8000-000000000000",
      "Caption Set Not Found",
      "The selected caption set no longer exists. Please refresh and select another.",
    ],
    [
      "an id that is none",
      "no id",
      "Caption Set Not Found",
      "The selected caption set no longer exists. Please refresh and select another.",
    ],
  ])("rejects %s", async (_, captionSetId, title, sentence) => {
    const asked = generate({ generationMode: "reference", captionSetId });
    await expect(asked).rejects.toMatchObject({ message: sentence, title });
    expect(twin.chats).toEqual([]);
  });
});

// spec 9.14
it.each([
  ["0 captions", { count: 0 }, "Request a whole number of captions between 1 and 100."],
  ["101 captions", { count: 101 }, "Request a whole number of captions between 1 and 100."],
  ["half a caption", { count: 1.5 }, "Request a whole number of captions between 1 and 100."],
  ["an empty prompt", { customPrompt: "  " }, "Enter a prompt for the captions"],
  ["a book as a prompt", { customPrompt: "x".repeat(4_001) }, "The prompt can have at most 4,000 characters."],
])("rejects %s in one sentence, without a request to OpenAI", async (_, request, sentence) => {
  await expect(generate({ ...CUSTOM, ...request })).rejects.toThrow(sentence);
  expect(twin.chats).toEqual([]);
});

it("reports a missing key", async () => {
  await saveServiceKey(context, "openai_key", null);
  await expect(generate({ ...CUSTOM })).rejects.toThrow(
    "No OpenAI API key is saved. Enter your OpenAI API key in settings.",
  );
});
