import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import {
  type ChatBehavior,
  type OpenAiTwin,
  startOpenAiTwin,
  TWIN_KEY,
} from "#tests/support/twins/openai/openai-twin.ts";
import { requestCaptions } from "./openai-captions.ts";
import { requestTranslations } from "./openai-translations.ts";
import { pickTranscriptionModel, transcribe } from "./openai-transcription.ts";
import { type ChatAccess, listOpenAiModels } from "./openai.ts";

const QUESTION = { instructions: "Write captions.", material: "About tea.", count: 2 };
const NO_LIMIT = new AbortController().signal;
let twin: OpenAiTwin;
let access: ChatAccess;

beforeAll(async () => {
  twin = await startOpenAiTwin({ models: ["whisper-1", "gpt-4o-mini-transcribe"], transcript: " Hello there. " });
  access = { baseUrl: twin.url, model: "a-model", apiKey: TWIN_KEY, name: null, isPublicOnly: false };
});
beforeEach(() => {
  twin.behave(() => ({ kind: "normal" }));
  twin.chats.length = 0;
});
afterAll(() => twin.close());

function ask(options: Partial<ChatAccess> = {}, signal = NO_LIMIT) {
  return requestCaptions({ ...access, ...options }, QUESTION, signal);
}

describe("requesting captions", () => {
  it("requests a JSON schema with that many texts, and returns the token use", async () => {
    twin.behave(() => ({ kind: "normal", captions: ["One", "Two"] }));
    expect(await ask()).toEqual({ captions: ["One", "Two"], use: { inputTokens: 100, outputTokens: 40 } });
    expect(twin.chats).toEqual([
      expect.objectContaining({ model: "a-model", instructions: "Write captions.", text: "About tea.", count: 2 }),
    ]);
  });

  it.each<[string, ChatBehavior, string]>([
    ["no credit", { kind: "noCredit" }, "Your OpenAI account has no credit left. Add credit, then try again."],
    ["a model nobody has", { kind: "noModel" }, "This OpenAI account has no access to the model."],
    ["too long a request", { kind: "tooLong" }, "The request is too long for the model."],
    ["a refusal", { kind: "refusal" }, "OpenAI refused this request because of its content."],
    ["a filtered response", { kind: "contentFilter" }, "OpenAI refused this request because of its content."],
    ["a response cut off", { kind: "cut" }, "The response was longer than the model allows."],
    ["a response that is not JSON", { kind: "malformed" }, "OpenAI returned an unreadable response."],
    ["a page of another server", { kind: "malformed", as: "body" }, "OpenAI returned an unreadable response."],
  ])("explains %s without a retry", async (_, behaviour, sentence) => {
    twin.behave(() => behaviour);
    await expect(ask()).rejects.toThrow(sentence);
    expect(twin.chats).toHaveLength(1);
  });

  it("explains a rejected key without quoting it", async () => {
    const error: unknown = await ask({ apiKey: "sk-wrong-and-long-key" }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "invalid",
      message: "OpenAI rejected the API key. Check your OpenAI API key in settings.",
    });
    expect(JSON.stringify({ ...(error as object), cause: (error as Error).cause })).not.toContain("sk-");
  });

  it.each<[string, ChatBehavior, number]>([
    ["a rate limit, after as long as it asks for", { kind: "rateLimited", retryAfterSeconds: 0.3 }, 300],
    ["an error of the server", { kind: "broken" }, 0],
  ])("recovers from %s", async (_, fault, minMs) => {
    twin.behave((chat, nth) => (nth === 1 ? fault : { kind: "normal" }));
    const startedMs = performance.now();
    expect((await ask()).captions).toHaveLength(2);
    expect(twin.chats).toHaveLength(2);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(minMs);
  });

  it("fails on lasting limits and errors, with the delay before a retry", async () => {
    twin.behave(() => ({ kind: "rateLimited", retryAfterSeconds: 0.01 }));
    await expect(ask()).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 0.01, isRetryable: true });
    expect(twin.chats).toHaveLength(3);
  });

  it("ends at its time limit, and immediately when canceled", async () => {
    twin.behave(() => ({ kind: "gated" }));
    await expect(ask({}, AbortSignal.timeout(100))).rejects.toThrow("OpenAI did not respond in time.");
    const leaving = new AbortController();
    const asked = ask({}, leaving.signal);
    await expect.poll(() => twin.chats.length).toBe(2);
    leaving.abort();
    await expect(asked).rejects.toMatchObject({ code: "cancelled" });
    await expect.poll(() => twin.abandoned).toBe(2);
  });

  it("reports an unreachable address", async () => {
    await expect(ask({ baseUrl: "http://127.0.0.1:9/v1" })).rejects.toMatchObject({ code: "network" });
  });
});

async function startServer(schemas: "rejected" | "ignored"): Promise<OpenAiTwin> {
  const server = await startOpenAiTwin({ schemas });
  onTestFinished(() => server.close());
  return server;
}

describe("servers other than OpenAI's", () => {
  const OWN = { name: "The text server" };

  it("need no JSON schemas: those that reject them are asked in words", async () => {
    const server = await startServer("rejected");
    expect((await ask({ ...OWN, baseUrl: server.url })).captions).toHaveLength(2);
    expect(server.chats).toEqual([
      expect.objectContaining({ hasFormat: false, count: 2, text: "About tea.", problems: [] }),
    ]);
    expect(server.chats[0]!.instructions).toMatch(/^Write captions\.\n\nRespond only with JSON of this schema/);
    // OpenAI itself gets one request.
    await expect(ask({ baseUrl: server.url })).rejects.toMatchObject({ code: "invalid" });
  });

  it("may ignore schemas and write around the JSON, which costs no second request", async () => {
    const server = await startServer("ignored");
    server.behave(() => ({ kind: "normal", captions: ["One {1}", "Two"] }));
    expect((await ask({ ...OWN, baseUrl: server.url })).captions).toEqual(["One {1}", "Two"]);
    expect(server.chats).toHaveLength(1);
  });

  it("translate without schemas, too", async () => {
    const server = await startServer("rejected");
    const material = JSON.stringify({ language: "de", texts: [{ id: 1, text: "Tea" }] });
    const question = { instructions: "Translate.", material, count: 1 };
    const { translations } = await requestTranslations({ ...access, ...OWN, baseUrl: server.url }, question, NO_LIMIT);
    expect(translations).toEqual([{ id: 1, text: expect.any(String) }]);
  });

  it.each<[string, ChatBehavior, string, number]>([
    ["text twice", { kind: "malformed" }, "The text server did not respond as expected. Check it, then try again.", 2],
    ["a refusal", { kind: "refusal" }, "The text server refused this request because of its content.", 1],
    ["no such model", { kind: "noModel" }, "The text server does not have the model.", 1],
    ["no credit", { kind: "noCredit" }, "The text server reports that your account has no credit left.", 1],
  ])("are named after %s", async (_, behaviour, sentence, requests) => {
    const server = await startServer("ignored");
    server.behave(() => behaviour);
    await expect(ask({ ...OWN, baseUrl: server.url })).rejects.toThrow(sentence);
    expect(server.chats).toHaveLength(requests);
  });

  it("are reached only at public addresses if they were saved in Settings", async () => {
    await expect(ask({ ...OWN, isPublicOnly: true })).rejects.toThrow("The text server could not be reached.");
    expect(twin.chats).toEqual([]);
  });
});

describe("transcription", () => {
  it("finds a suitable model among those the key may use", async () => {
    expect(pickTranscriptionModel(await listOpenAiModels(access, NO_LIMIT))).toBe("gpt-4o-mini-transcribe");
    expect(pickTranscriptionModel(["llama", "Systran/faster-whisper-small"])).toBe("Systran/faster-whisper-small");
    expect(pickTranscriptionModel(["gpt-4o-transcribe-diarize", "gpt-live-transcribe", "llava"])).toBeNull();
  });

  it("sends the sound and returns the text", async () => {
    const sound = Buffer.from("....ftypM4A sound");
    expect(await transcribe(access, { sound, model: "whisper-1", prompt: "" }, NO_LIMIT)).toBe("Hello there.");
    expect(twin.transcriptions).toEqual([{ model: "whisper-1", fileName: "sound.m4a", bytes: sound }]);
  });
});
