import { toFile } from "openai";
import { Agent, fetch as fetchGuarded } from "undici";
import { z } from "zod";
import { ClipmillError, detailsOf, type ErrorCode } from "#contract/errors.ts";
import { connectToPublicAddresses } from "#ground/public-address.ts";
import { callOpenAi, listOpenAiModels, openAiClient, type OpenAiAccess } from "./openai.ts";

/** Time limit of one try. A server without a GPU takes about as long as the sound. */
const MAX_TRY_MS = 20 * 60_000;
/** OpenAI's other models return no times of words (API reference, `timestamp_granularities`, November 2026). */
const WITH_WORD_TIMES = "whisper-1";
const LOOKS_FIT = /whisper/i;

/** `isOpenAi`: errors name OpenAI. `isPublicOnly`: connects only to public addresses. */
export type TranscriptionServer = Omit<OpenAiAccess, "model"> & { isOpenAi: boolean; isPublicOnly: boolean };

const seconds = z.number().min(0).max(1_000_000);
const recognizedSchema = z.object({
  text: z.string().default(""),
  language: z.string().nullish(),
  words: z
    .array(z.object({ word: z.string(), start: seconds, end: seconds, probability: z.number().nullish() }))
    .nullish(),
  segments: z
    .array(z.object({ text: z.string().default(""), start: seconds, end: seconds, avg_logprob: z.number().nullish() }))
    .nullish(),
});

/** A server's transcript of a sound, in seconds from its start. */
export type RecognizedWords = z.infer<typeof recognizedSchema>;

/** Returns the model for times of words; a server without a list gets the usual name. Throws ClipmillError. */
export async function findWordModel(server: TranscriptionServer, signal: AbortSignal): Promise<string> {
  const models = await listTranscriptionModels(server, signal);
  return (
    models.find((model) => model === WITH_WORD_TIMES) ?? models.find((one) => LOOKS_FIT.test(one)) ?? WITH_WORD_TIMES
  );
}

/** Returns no model for a server without a list. Throws ClipmillError. */
export async function listTranscriptionModels(server: TranscriptionServer, signal: AbortSignal): Promise<string[]> {
  try {
    return await naming(server, () => listOpenAiModels(toClient(server), signal));
  } catch (error) {
    if (error instanceof ClipmillError && error.facts.status === 404) return [];
    throw error;
  }
}

/** Transcribes a WAV file of at most 25 MB. `prompt` has names to expect. Throws ClipmillError. */
export async function transcribeWords(
  server: TranscriptionServer,
  { sound, model, prompt }: { sound: Buffer; model: string; prompt: string },
  signal: AbortSignal,
): Promise<RecognizedWords> {
  return await naming(server, async () => {
    const response = await callOpenAi(signal, async () => {
      const file = await toFile(sound, "speech.wav", { type: "audio/wav" });
      const request = { file, model, response_format: "verbose_json" as const, ...(prompt && { prompt }) };
      return openAiClient(toClient(server)).audio.transcriptions.create(
        { ...request, timestamp_granularities: ["word", "segment"] },
        { signal, timeout: MAX_TRY_MS },
      );
    });
    const recognized = recognizedSchema.safeParse(response);
    const hasTimes =
      recognized.success && (recognized.data.text.trim() === "" || recognized.data.words || recognized.data.segments);
    if (hasTimes) return recognized.data;
    throw new ClipmillError("invalid", "OpenAI returned no times of words. Choose another transcription model.");
  });
}

function toClient({ isPublicOnly, ...access }: TranscriptionServer) {
  return { ...access, ...(isPublicOnly && { fetch: fetchPublic }) };
}

const publicOnly = new Agent({ connect: connectToPublicAddresses() });

/** undici does not accept Node's FormData, so the body is encoded first. */
const fetchPublic: typeof fetch = async (to, { body, headers: given, signal, method } = {}) => {
  const encoded = body ? new Response(body) : null;
  const headers = new Headers(given);
  const type = encoded?.headers.get("content-type");
  if (type && !headers.has("content-type")) headers.set("content-type", type);
  const response = await fetchGuarded(to instanceof Request ? to.url : to, {
    ...{ method: method ?? "GET", headers: [...headers], signal: signal ?? null, dispatcher: publicOnly },
    body: encoded ? new Uint8Array(await encoded.arrayBuffer()) : null,
    redirect: "error",
  });
  return new Response(await response.arrayBuffer(), {
    status: response.status,
    headers: [...response.headers],
  });
};

const OF_OTHERS: Partial<Record<ErrorCode, string>> = {
  network: "The transcription server could not be reached. Check its address in Settings.",
  rate_limited: "The transcription server is limiting requests. Wait a minute, then try again.",
  unavailable: "The transcription server did not respond as expected. Check it, then try again.",
};
const OF_STATUS: Record<number, string> = {
  401: "The transcription server rejected the key. Check it in Settings.",
  403: "The transcription server rejected the key. Check it in Settings.",
  404: "The transcription server does not have the model. Choose another one in Settings.",
};

/** Messages about OpenAI would mislead operators who use another server. */
async function naming<Result>({ isOpenAi }: TranscriptionServer, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (isOpenAi || !(error instanceof ClipmillError) || error.code === "cancelled") throw error;
    const sentence = OF_OTHERS[error.code] ?? OF_STATUS[Number(error.facts.status)];
    const plain = error.message.replaceAll("OpenAI", "The transcription server");
    throw new ClipmillError(error.code, sentence ?? plain, detailsOf(error));
  }
}
