import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Context } from "#operations/context.ts";
import { type ModelSetting, modelSettings } from "#contract/settings/models.ts";
import { TEST_HOSTS } from "#tests/support/test-context.ts";
import { type OpenAiTwin, startOpenAiTwin, TWIN_KEY } from "#tests/support/twins/openai/openai-twin.ts";
import { openTestDatabase } from "#tests/support/servers/databases/database.ts";
import { findMissing } from "#media/captions/fonts/drawable-text.ts";
import { DEFAULT_LOOK } from "#media/captions/layout/caption-shape.ts";
import { measureWords } from "#media/captions/drawing/draw-subtitle.ts";
import { contactUnconditionally } from "../hosts/contact-host.ts";
import { createSecretBox } from "../settings/secret-box.ts";
import { saveServiceKey } from "../settings/service-key.ts";
import { translationKey } from "./kept-translations.ts";
import { saveGlossary } from "./read-glossary.ts";
import { translateTexts, type TranslationTools } from "./translate-texts.ts";

const ROW = 13;
let twin: OpenAiTwin;
let context: Pick<Context, "db" | "secrets" | "openAi" | "hosts">;
let close: () => Promise<void>;

beforeAll(async () => {
  const database = await openTestDatabase();
  twin = await startOpenAiTwin();
  context = {
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
  await context.db.deleteFrom("translations").execute();
  await saveServiceKey(context, "openai_key", TWIN_KEY);
  await saveGlossary(context.db, null);
});
afterAll(() => close());

const measure = (texts: readonly string[]) =>
  Promise.resolve({ rowWidth: ROW, widths: measureWords(texts, DEFAULT_LOOK).widths });

function translate(
  texts: readonly string[],
  language = "de",
  more: { ahead?: string[]; speech?: string[]; signal?: AbortSignal } = {},
) {
  const { signal = new AbortController().signal, ...others } = more;
  const tools: TranslationTools = { measure, signal, contact: contactUnconditionally };
  return translateTexts(context, { texts, language, ...others }, tools);
}

/** Returns the texts of each request. */
const asked = () => twin.chats.map(({ translation }) => translation!.texts.map(({ text }) => text));

const answer = (texts: string[]) => ({
  kind: "translated" as const,
  translations: texts.map((text, i) => ({ id: i + 1, text })),
});

describe("100 captions in 5 languages", () => {
  const captions = Array.from(
    { length: 100 },
    (_, i) => `Number ${i}: Clipmill makes *your* ad in a flash sale 🔥 #ad${i}`,
  );

  it("are all translated, in order, drawable, about as long, and with the glossary's terms", async () => {
    const glossary = [
      { term: "Clipmill", translations: {} },
      { term: "flash sale", translations: { ar: "تخفيضات", ja: "セール" } },
    ];
    await saveGlossary(context.db, glossary);
    for (const language of ["ar", "he", "th", "hi", "ja"]) {
      const made = await translate(captions, language);
      expect([...made.keys()]).toEqual(captions);
      const translations = [...made.values()];
      expect(findMissing(translations)).toBeNull();
      const term = { ar: "تخفيضات", ja: "セール" }[language] ?? "flash sale";
      for (const [i, translation] of translations.entries()) {
        expect(translation).toMatch(new RegExp(`${i}: .*Clipmill.*\\*.+\\*.*${term}.*🔥 #ad${i}$`, "u"));
        const { widths } = await measure([captions[i]!, translation]);
        const rows = Math.ceil(widths[0]! / ROW);
        expect(widths[1]).toBeLessThanOrEqual(Math.max(1.3 * widths[0]!, rows * ROW));
      }
    }
    // Three requests per language, of at most 40 texts.
    expect(asked().map(({ length }) => length)).toEqual([40, 40, 20, 40, 40, 20, 40, 40, 20, 40, 40, 20, 40, 40, 20]);
  });
});

describe("a text", () => {
  it("is translated once per language, model and glossary", async () => {
    await translate(["One", "Two", "One"]);
    await translate(["Two", "Three"]);
    await translate(["One"], "fr");
    expect(asked()).toEqual([["One", "Two"], ["Three"], ["One"]]);
    await saveGlossary(context.db, [{ term: "one", translations: {} }]);
    expect((await translate(["One", "Two"])).get("One")).toBe("one");
    expect(asked().slice(3)).toEqual([["One"]]);
    context.openAi = { ...context.openAi, model: "another-model" };
    await translate(["Two"]);
    context.openAi = { ...context.openAi, model: "a-model" };
    expect(asked().slice(4)).toEqual([["Two"]]);
  });

  it("that will be needed later is translated with the others", async () => {
    await translate(["One"], "de", { ahead: ["Two", "Three"] });
    await translate(["Three"]);
    expect(asked()).toEqual([["One", "Two", "Three"]]);
  });

  it("needs no key once it is translated", async () => {
    const made = await translate(["One"]);
    await saveServiceKey(context, "openai_key", null);
    expect(await translate(["One"])).toEqual(made);
    await expect(translate(["Two"])).rejects.toThrow("No OpenAI API key is saved.");
  });
});

describe("lines of speech", () => {
  const speech = ["Welcome back.", "Today we cook", "seven potatoes.", "", "Another clip."];
  const lines = speech.filter((line) => line !== "");

  it("are translated as subtitles, in order", async () => {
    expect([...(await translate(lines, "de", { speech })).keys()]).toEqual(lines);
    expect(asked()).toEqual([lines]);
    expect(twin.chats[0]!.instructions).toContain("You translate the subtitles");
    // Lines of a request are each other's context.
    expect(twin.chats[0]!.translation!.texts.map(({ before, after }) => [before, after])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it("are translated again only where they changed, with what is said around them", async () => {
    await translate(lines, "de", { speech });
    const corrected = speech.with(1, "Tonight we cook");
    await translate(
      corrected.filter((line) => line !== ""),
      "de",
      { speech: corrected },
    );
    expect(twin.chats[1]!.translation!.texts).toEqual([
      { id: 1, text: "Tonight we cook", before: "Welcome back.", after: "seven potatoes." },
    ]);
  });

  it("may be longer than captions", async () => {
    const long = "word ".repeat(600).trim();
    expect((await translate([long], "de", { speech: [long] })).get(long)).toHaveLength(long.length);
  });

  it("that stay unusable fail with one sentence", async () => {
    await saveGlossary(context.db, [{ term: "Clipmill", translations: {} }]);
    twin.behave(() => answer(["Klippmühle"]));
    await expect(translate(["Clipmill!"], "de", { speech: ["Clipmill!"] })).rejects.toThrow(
      "OpenAI returned no usable translation of a subtitle into German. Try again, or change the subtitles or the glossary.",
    );
  });
});

it("translates with another text server, whose cooldown is its own", async () => {
  const server = await startOpenAiTwin({ apiKey: "none", schemas: "ignored" });
  onTestFinished(() => server.close());
  const own = { text_base_url: server.url, text_model: "own-model" } as Partial<Record<ModelSetting, string>>;
  const hosts = { ...TEST_HOSTS, models: modelSettings((name) => own[name]) };
  await translate(["One"]);
  const contacted: string[] = [];
  const contact: TranslationTools["contact"] = (host, act) => {
    contacted.push(host);
    return act(() => {});
  };
  const tools = { measure, contact, signal: new AbortController().signal };
  await translateTexts({ ...context, hosts }, { texts: ["One"], language: "de" }, tools);
  expect(contacted).toEqual(["text"]);
  expect(server.chats).toMatchObject([{ model: "own-model" }]);
  expect(twin.chats).toHaveLength(1);
});

describe("the model's response", () => {
  it("may be in another order", async () => {
    twin.behave(() => ({
      kind: "translated",
      translations: [
        { id: 2, text: "Zwei" },
        { id: 1, text: "Eins" },
      ],
    }));
    expect([...(await translate(["One", "Two"]))]).toEqual([
      ["One", "Eins"],
      ["Two", "Zwei"],
    ]);
  });

  it("is requested again where it omits, repeats or invents a text", async () => {
    const responses = [
      [
        { id: 1, text: "Eins" },
        { id: 2, text: "Zwei" },
        { id: 2, text: "Zwo" },
        { id: 9, text: "Neun" },
      ],
      [{ id: 1, text: "Zwei" }],
      [{ id: 1, text: "Drei" }],
    ];
    twin.behave((_, nth) => ({ kind: "translated", translations: responses[nth - 1]! }));
    expect([...(await translate(["One", "Two", "Three"])).values()]).toEqual(["Eins", "Zwei", "Drei"]);
    expect(asked()).toEqual([["One", "Two", "Three"], ["Two", "Three"], ["Three"]]);
  });

  it("that is too long is requested once more; then the shortest is used", async () => {
    const long = "Dieser viel zu lange Text passt nicht in zwei Zeilen";
    const longer = `${long}, wirklich ganz und gar nicht`;
    twin.behave((_, nth) => answer([nth === 1 ? long : longer]));
    expect([...(await translate(["Just a short text"])).values()]).toEqual([long]);
    expect(twin.chats).toHaveLength(2);
    expect(twin.chats[1]!.translation!.texts[0]!.rejected).toEqual({
      text: long,
      fault: expect.stringMatching(/^too long: use at most \d+ characters$/) as string,
    });
  });

  it("fails with one sentence if it stays unusable, and keeps the good translations", async () => {
    await saveGlossary(context.db, [{ term: "Clipmill", translations: {} }]);
    twin.behave((chat) => answer(chat.translation!.texts.map(({ text }) => (text === "Hi" ? "Hallo" : "Klippmühle"))));
    await expect(translate(["Hi", "Clipmill!"])).rejects.toMatchObject({
      code: "unavailable",
      message:
        "OpenAI returned no usable translation of a caption into German. Try again, or change the captions or the glossary.",
    });
    expect(asked()).toEqual([["Hi", "Clipmill!"], ["Clipmill!"], ["Clipmill!"]]);
    expect((await translate(["Hi"])).get("Hi")).toBe("Hallo");
    expect(twin.chats).toHaveLength(3);
  });

  it("that fails for a text needed only later fails nothing", async () => {
    await saveGlossary(context.db, [{ term: "Clipmill", translations: {} }]);
    twin.behave((chat) => answer(chat.translation!.texts.map(() => "Hallo")));
    expect((await translate(["Hi"], "de", { ahead: ["Clipmill!"] })).get("Hi")).toBe("Hallo");
  });

  it.each([
    [{ kind: "noCredit" } as const, "invalid", "Your OpenAI account has no credit left."],
    [{ kind: "malformed" } as const, "unavailable", "OpenAI returned an unreadable response."],
  ])("explains %j", async (behavior, code, message) => {
    twin.behave(() => behavior);
    await expect(translate(["Hi"])).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message) as string,
    });
    // The next attempt need not wait.
    expect(await context.db.selectFrom("translations").selectAll().execute()).toEqual([]);
  });
});

describe("several workers", () => {
  const captions = Array.from({ length: 60 }, (_, i) => `Caption ${i}`);

  it("translate nothing twice at the same time", async () => {
    const made = await Promise.all([translate(captions), translate(captions), translate(captions.toReversed())]);
    for (const one of made) expect(one.size).toBe(60);
    expect(asked().flat().toSorted()).toEqual(captions.toSorted());
  });

  it("do not ask for later captions alone while another one translates theirs", async () => {
    twin.behave(() => ({ kind: "gated" }));
    const first = translate(captions.slice(0, 1), "de", { ahead: captions.slice(1) });
    await expect.poll(() => twin.chats.length).toBe(1);
    const second = translate(captions.slice(1, 2), "de", { ahead: captions.slice(2) });
    twin.release();
    await Promise.all([first, second]);
    expect(asked()).toEqual([captions.slice(0, 40)]);
  });

  it("translate only what a stopped worker had not", async () => {
    await translate(captions.slice(0, 40));
    const stopped = new AbortController();
    twin.behave(() => ({ kind: "gated" }));
    const first = translate(captions, "de", { signal: stopped.signal });
    await expect.poll(() => twin.chats.length).toBe(2);
    stopped.abort();
    await expect(first).rejects.toThrow("canceled");
    twin.behave(() => ({ kind: "normal" }));
    await translate(captions);
    expect(asked().map(({ length }) => length)).toEqual([40, 20, 20]);
  });

  it("take over a killed worker's texts once its claim is stale", async () => {
    twin.behave(() => ({ kind: "gated" }));
    const lost = translate(["One"]).catch(() => {});
    await expect.poll(() => twin.chats.length).toBe(1);
    // As if it had been killed: nothing touches or releases the claim.
    await sql`update translations set attempt = gen_random_uuid()`.execute(context.db);
    const next = translate(["One"]);
    twin.behave(() => ({ kind: "normal" }));
    await sql`update translations set touched_at = now() - interval '21 seconds'`.execute(context.db);
    expect((await next).size).toBe(1);
    expect(twin.chats).toHaveLength(2);
    twin.release();
    await lost;
  });

  it("stop waiting when they are canceled", async () => {
    const key = translationKey("One", { language: "de", model: "a-model", terms: [] });
    await context.db
      .insertInto("translations")
      .values({ key, language: "de", source: "One", attempt: randomUUID() })
      .execute();
    const canceled = new AbortController();
    const waiting = translate(["One"], "de", { signal: canceled.signal });
    canceled.abort();
    await expect(waiting).rejects.toThrow("aborted");
    expect(twin.chats).toEqual([]);
  });
});
