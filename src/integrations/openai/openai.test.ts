import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type ChatBehavior,
  type OpenAiTwin,
  startOpenAiTwin,
  TWIN_KEY,
} from "#tests/support/twins/openai/openai-twin.ts";
import { requestCaptions } from "./openai-captions.ts";
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
