import { toFile } from "openai";
import { z } from "zod";
import { callModel, listModels, type ModelServer, responseFaults } from "./openai.ts";

/** Time limit of one try. A server without a GPU takes about as long as the sound. */
const MAX_TRY_MS = 20 * 60_000;
/** OpenAI's other models return no times of words (API reference, `timestamp_granularities`, November 2026). */
const WITH_WORD_TIMES = "whisper-1";
const LOOKS_FIT = /whisper/i;

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
export async function findWordModel(server: ModelServer, signal: AbortSignal): Promise<string> {
  const models = (await listModels(server, signal)) ?? [];
  return (
    models.find((model) => model === WITH_WORD_TIMES) ?? models.find((one) => LOOKS_FIT.test(one)) ?? WITH_WORD_TIMES
  );
}

/** Transcribes a WAV file of at most 25 MB. `prompt` has names to expect. Throws ClipmillError. */
export async function transcribeWords(
  server: ModelServer,
  { sound, model, prompt }: { sound: Buffer; model: string; prompt: string },
  signal: AbortSignal,
): Promise<RecognizedWords> {
  return await callModel(server, signal, async (client) => {
    const file = await toFile(sound, "speech.wav", { type: "audio/wav" });
    const request = { file, model, response_format: "verbose_json" as const, ...(prompt && { prompt }) };
    const response = await client.audio.transcriptions.create(
      { ...request, timestamp_granularities: ["word", "segment"] },
      { signal, timeout: MAX_TRY_MS },
    );
    const recognized = recognizedSchema.safeParse(response);
    const hasTimes =
      recognized.success && (recognized.data.text.trim() === "" || recognized.data.words || recognized.data.segments);
    if (hasTimes) return recognized.data;
    throw responseFaults.noWordTimes();
  });
}
