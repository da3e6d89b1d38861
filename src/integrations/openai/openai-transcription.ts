import { toFile } from "openai";
import { callModel, type ModelServer } from "./openai.ts";

/** In order of preference: first the cheapest that is good enough for captions. */
const PREFERRED = ["gpt-4o-mini-transcribe", "gpt-transcribe", "gpt-4o-transcribe", "whisper-1"];
/** Names on other servers, without models that need live audio or return another format. */
const LOOKS_FIT = /whisper|transcri/i;
const LOOKS_UNFIT = /diarize|realtime|live/i;

export function pickTranscriptionModel(models: readonly string[]): string | null {
  const preferred = PREFERRED.find((model) => models.includes(model));
  return preferred ?? models.find((model) => LOOKS_FIT.test(model) && !LOOKS_UNFIT.test(model)) ?? null;
}

/** Returns "" without speech. `prompt` has names to expect. Throws ClipmillError. */
export async function transcribe(
  server: ModelServer,
  { sound, model, prompt }: { sound: Buffer; model: string; prompt: string },
  signal: AbortSignal,
): Promise<string> {
  const { text } = await callModel(server, signal, async (client) => {
    const file = await toFile(sound, "sound.m4a", { type: "audio/mp4" });
    const request = { file, model, response_format: "json" as const, ...(prompt && { prompt }) };
    return client.audio.transcriptions.create(request, { signal });
  });
  return text.trim();
}
