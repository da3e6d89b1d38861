/** What is said in a sound, where the API writes such things down. */
import { toFile } from "openai";
import { callOpenAi, openAiClient, type OpenAiAccess } from "./openai.ts";

/** Those of OpenAI in the order of preference: the cheapest that is good enough for a caption first. */
const PREFERRED = ["gpt-4o-mini-transcribe", "gpt-transcribe", "gpt-4o-transcribe", "whisper-1"];
/** What other servers call theirs, without those that only listen to a live line or answer in another form. */
const LOOKS_FIT = /whisper|transcri/i;
const LOOKS_UNFIT = /diarize|realtime|live/i;

/** The model that transcribes, of all that a key may use; null when there is none. */
export function pickTranscriptionModel(models: readonly string[]): string | null {
  const preferred = PREFERRED.find((model) => models.includes(model));
  return preferred ?? models.find((model) => LOOKS_FIT.test(model) && !LOOKS_UNFIT.test(model)) ?? null;
}

/** The words in an m4a file's sound; "" where nobody speaks. Throws ClipmillError. */
export async function transcribe(
  access: OpenAiAccess,
  { sound, model }: { sound: Buffer; model: string },
  signal: AbortSignal,
): Promise<string> {
  const { text } = await callOpenAi(signal, async () => {
    const file = await toFile(sound, "sound.m4a", { type: "audio/mp4" });
    return openAiClient(access).audio.transcriptions.create({ file, model, response_format: "json" }, { signal });
  });
  return text.trim();
}
