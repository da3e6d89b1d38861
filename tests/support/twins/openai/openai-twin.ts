/** A local twin of the OpenAI API: models, chat, transcription. */
import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type ApiResponse, apiErrors, completion, modelList } from "./openai-twin-responses.ts";
import { problemOfChat, readChat, type Schemas, type TwinChat } from "./openai-twin-chat.ts";
import { pretendTranslation } from "./pretend-translation.ts";

export type { TwinChat } from "./openai-twin-chat.ts";

export type ChatBehavior =
  /** Returns these captions, or else as many as requested. */
  | { kind: "normal"; captions?: string[] }
  /** Returns these for a request to translate. */
  | { kind: "translated"; translations: { id: number; text: string }[] }
  | { kind: "rateLimited"; retryAfterSeconds: number }
  | { kind: "noCredit" }
  | { kind: "broken" }
  | { kind: "tooLong" }
  | { kind: "noModel" }
  | { kind: "refusal" }
  | { kind: "contentFilter" }
  /** The response ends in the middle. */
  | { kind: "cut" }
  /** The content, or the whole body, is not JSON. */
  | { kind: "malformed"; as?: "content" | "body" }
  /** Responds only after `release()`. */
  | { kind: "gated" };

type Transcription = {
  model: string;
  fileName: string;
  bytes: Buffer;
  prompt?: string;
  /** With `verbose_json`. */
  granularities?: string[];
};

/** A word's true place in a file that starts at `from` seconds of the speech. */
export type TwinWord = { word: string; start: number; end: number };

type TranscriptionBehavior =
  /** With `verbose_json`, words come without punctuation, as from OpenAI. */
  | { text: string; language: string; words: readonly TwinWord[] }
  | Extract<ChatBehavior, { kind: "rateLimited" | "broken" | "gated" }>;

export type OpenAiTwin = {
  url: string;
  /** Includes retries; oldest first. */
  chats: TwinChat[];
  transcriptions: Transcription[];
  maxConcurrent: number;
  /** Sets the behavior of later chats; `nth` counts from 1 since this call. */
  behave(behaviour: (chat: TwinChat, nth: number) => ChatBehavior | Promise<ChatBehavior>): void;
  /** Sets what later transcriptions with times of words return; `nth` counts from 1 since this call. */
  transcribe(next: (transcription: Transcription, nth: number) => TranscriptionBehavior): void;
  release(): void;
  /** Gated chats whose client disconnected. */
  abandoned: number;
  close(): Promise<void>;
};

type Options = {
  apiKey?: string;
  port?: number;
  models?: string[];
  transcript?: string;
  /** As on other servers than OpenAI's: whether `response_format` is supported. */
  schemas?: Schemas;
};

export const TWIN_KEY = "sk-twin-0123456789abcdefghijklmnop";

/** Returns 401 for any key other than `apiKey`. */
export async function startOpenAiTwin(options: Options = {}): Promise<OpenAiTwin> {
  const { apiKey = TWIN_KEY, models = [], transcript = "", schemas = "followed" } = options;
  const chats: TwinChat[] = [];
  const transcriptions: Transcription[] = [];
  let gate = Promise.withResolvers<void>();
  let behaviorOf: Parameters<OpenAiTwin["behave"]>[0] = behaveNormally;
  let nth = 0;
  let transcriptOf: Parameters<OpenAiTwin["transcribe"]>[0] = () => ({
    text: transcript,
    language: "english",
    words: [],
  });
  let nthTranscription = 0;
  let atOnce = 0;

  const server = http.createServer((request, response) => void handle(request, response));
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request).catch(() => null);
    if (body === null) return;
    const route = `${request.method} ${request.url}`;
    if (request.headers.authorization !== `Bearer ${apiKey}`) send(response, apiErrors.badKey());
    else if (route === "GET /v1/models") send(response, modelList(["a-model", ...models]));
    else if (route === "POST /v1/chat/completions") await serveChat(body, response);
    else if (route === "POST /v1/audio/transcriptions") await serveTranscription(request, body, response);
    else send(response, apiErrors.unknownUrl(route));
  }

  async function serveChat(body: Buffer, response: ServerResponse): Promise<void> {
    const chat = await readChat(body, schemas);
    const problem = problemOfChat(chat);
    if (problem !== null) {
      send(response, apiErrors.invalid(problem));
      return;
    }
    chats.push(chat);
    nth += 1;
    atOnce += 1;
    twin.maxConcurrent = Math.max(twin.maxConcurrent, atOnce);
    const closed = once(response, "close").then(() => "closed" as const);
    try {
      const behaviour = await behaviorOf(chat, nth);
      if (behaviour.kind === "gated" && (await Promise.race([gate.promise, closed])) === "closed") twin.abandoned += 1;
      else send(response, responseOf(behaviour, chat, schemas));
    } finally {
      atOnce -= 1;
    }
  }

  async function serveTranscription(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const headers = { "content-type": request.headers["content-type"] ?? "" };
    const form = await new Response(new Uint8Array(body), { headers }).formData();
    const model = form.get("model");
    const file = form.get("file");
    if (typeof model !== "string" || !models.includes(model)) send(response, apiErrors.noModel("of no name"));
    else if (!(file instanceof File)) send(response, apiErrors.invalid("Missing required parameter: 'file'."));
    else {
      const transcription: Transcription = { model, fileName: file.name, bytes: Buffer.from(await file.arrayBuffer()) };
      transcriptions.push(transcription);
      if (form.get("response_format") !== "verbose_json") send(response, { status: 200, body: { text: transcript } });
      else {
        const prompt = form.get("prompt");
        if (typeof prompt === "string") transcription.prompt = prompt;
        transcription.granularities = form.getAll("timestamp_granularities[]").map(String);
        await serveWords(transcription, response);
      }
    }
  }

  async function serveWords(transcription: Transcription, response: ServerResponse): Promise<void> {
    nthTranscription += 1;
    const behavior = transcriptOf(transcription, nthTranscription);
    if ("words" in behavior) {
      const { words, ...more } = behavior;
      send(response, { status: 200, body: { task: "transcribe", ...more, words: words.map(withoutSigns) } });
    } else if (behavior.kind === "rateLimited") send(response, apiErrors.rateLimited(behavior.retryAfterSeconds));
    else if (behavior.kind === "broken") send(response, apiErrors.broken());
    else {
      const closed = once(response, "close").then(() => "closed" as const);
      if ((await Promise.race([gate.promise, closed])) === "closed") twin.abandoned += 1;
      else send(response, { status: 200, body: { text: "", language: "english", words: [] } });
    }
  }

  const twin: OpenAiTwin = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    chats,
    transcriptions,
    maxConcurrent: 0,
    abandoned: 0,
    behave(next) {
      behaviorOf = next;
      nth = 0;
    },
    transcribe(next) {
      transcriptOf = next;
      nthTranscription = 0;
    },
    release() {
      gate.resolve();
      gate = Promise.withResolvers();
    },
    async close() {
      gate.resolve();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return twin;
}

function withoutSigns({ word, ...times }: TwinWord): TwinWord {
  return { word: word.replaceAll(/[^\p{L}\p{N}'’-]/gu, ""), ...times };
}

function responseOf(behaviour: ChatBehavior, chat: TwinChat, schemas: Schemas): ApiResponse {
  const write = (answer: object) =>
    schemas === "ignored" ? `Sure!\n\`\`\`json\n${JSON.stringify(answer)}\n\`\`\`` : JSON.stringify(answer);
  switch (behaviour.kind) {
    case "gated":
      return completion(chat, { content: write(answerTo(chat)) });
    case "normal":
      return completion(chat, { content: write(answerTo(chat, behaviour.captions)) });
    case "translated":
      return completion(chat, { content: write({ translations: behaviour.translations }) });
    case "rateLimited":
      return apiErrors.rateLimited(behaviour.retryAfterSeconds);
    case "noCredit":
      return apiErrors.noCredit();
    case "broken":
      return apiErrors.broken();
    case "tooLong":
      return apiErrors.tooLong();
    case "noModel":
      return apiErrors.noModel(chat.model);
    case "refusal":
      return completion(chat, { refusal: "I'm sorry, I can't assist with that." });
    case "contentFilter":
      return completion(chat, { content: "", finishReason: "content_filter" });
    case "cut":
      return completion(chat, { content: '{"captions":["The beg', finishReason: "length" });
    case "malformed":
      return behaviour.as === "body"
        ? { status: 200, body: "<html>not the API</html>" }
        : completion(chat, { content: "Sure! Here they are:" });
  }
}

function behaveNormally(): ChatBehavior {
  return { kind: "normal" };
}

function answerTo(chat: TwinChat, captions?: string[]): object {
  const { translation } = chat;
  if (translation === null) return { captions: captions ?? inventCaptions(chat) };
  const translations = translation.texts.map((asked) => ({
    id: asked.id,
    text: pretendTranslation(asked, translation),
  }));
  return { translations };
}

let invented = 0;

function inventCaptions({ count, pictures }: TwinChat): string[] {
  return Array.from({ length: count }, () => {
    invented += 1;
    const seen = [...new Set(pictures.map((picture) => picture.color))].join(", ");
    return seen === "" ? `Caption number ${invented}` : `Seen: ${seen} (${invented})`;
  });
}

function send(response: ServerResponse, { status, headers = {}, body }: ApiResponse): void {
  const isJson = typeof body !== "string";
  response.writeHead(status, { "content-type": isJson ? "application/json" : "text/html", ...headers });
  response.end(isJson ? JSON.stringify(body) : body);
}
