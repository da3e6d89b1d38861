import path from "node:path";
import type { Window } from "#contract/jobs/outputs/assignment.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { TranscriptLine } from "#contract/transcripts/transcripts.ts";
import { sha256Of } from "#ground/checksum.ts";
import type { ModelServer } from "#integrations/openai/openai.ts";
import type { RecognizedWords } from "#integrations/openai/transcribe-words.ts";
import type { MediaFile } from "#media/plan/render-plan.ts";
import { requireVideo } from "#media/render/required-streams.ts";
import { detectInSamples, writeSpeechSamples } from "#media/speech/detect-speech.ts";
import { type DetectedSpeech, findSpeech } from "#media/speech/find-speech.ts";
import { findIslands } from "#media/speech/words/energy.ts";
import { planParts } from "#media/speech/words/plan-parts.ts";
import { measureEnergy, readAsWav } from "#media/speech/words/read-samples.ts";
import { snapWords } from "#media/speech/words/snap-words.ts";
import { confidenceOf, withPunctuation } from "#media/subtitles/formats/recognized-words.ts";
import { readWordJson } from "#media/subtitles/formats/word-json.ts";
import type { ModelHost } from "#operations/settings/model-access.ts";
import type { Contact } from "#operations/hosts/contact-host.ts";
import { keepAnalysis } from "../videos/kept-analysis.ts";
import { speechAnalysis } from "../videos/without-silences.ts";
import type { WorkerContext } from "../worker-context.ts";
import { languageTag } from "./language-tag.ts";

export type Recognizer = ModelServer & { model: string; host: ModelHost; prompt: string };
type Place = { folder: string; signal: AbortSignal; contact: Contact };
type Recognized = { lines: TranscriptLine[]; language: string | null };

/**
 * Transcribes a video's speech, on its file's clock. Silence is not sent: models invent words in it. Results are kept
 * with the encoded streams, so that an attempt after a kill sends only what is missing. `onPart` gets the share that is
 * done, from 0 to 1. Throws ClipmillError.
 */
export async function recognizeWords(
  worker: Pick<WorkerContext, "tools" | "streams">,
  file: MediaFile,
  recognizer: Recognizer,
  { onPart, ...place }: Place & { onPart: (share: number) => Promise<void> },
): Promise<Recognized> {
  const { folder, signal } = place;
  const window = { startSeconds: 0, endSeconds: file.probe.durationSeconds };
  const samples = path.join(folder, "words.raw");
  const silent: Recognized = { lines: [], language: null };
  if (!(await writeSpeechSamples(worker.tools, file, { window, folder, signal }, samples))) return silent;
  const likelihoods = await keepAnalysis(worker, speechAnalysis(file, window, folder), async () => {
    return (await detectInSamples(samples, { window, signal })).likelihoods;
  });
  const speech = findSpeech({ fromSeconds: 0, likelihoods: likelihoods! } satisfies DetectedSpeech);
  const parts = planParts(speech, window.endSeconds);
  const recognized: RecognizedWords[] = [];
  for (const [i, part] of parts.entries()) {
    recognized.push(await recognizePart(worker, recognizer, { ...place, revision: file.revision, samples, part }));
    await onPart((i + 1) / parts.length);
  }
  const levels = await measureEnergy(samples);
  const islands = findIslands(levels, speech);
  const { offsetSeconds } = requireVideo(file.probe).timing;
  const lines = toLines(recognized, parts, (words) => snapWords(words, islands, levels), offsetSeconds);
  return { lines, language: languageTag(recognized.find(({ language }) => language)?.language ?? null) };
}

async function recognizePart(
  worker: Pick<WorkerContext, "streams">,
  { model, host, prompt, ...server }: Recognizer,
  { folder, signal, contact, revision, samples, part }: Place & { revision: string; samples: string; part: Window },
): Promise<RecognizedWords> {
  const key = [revision, part, server.baseUrl, model, sha256Of(prompt)];
  const seconds = part.endSeconds - part.startSeconds;
  const kept = await keepAnalysis(worker, { kind: "words", key, seconds, folder }, async () => {
    const { transcribeWords } = await import("#integrations/openai/transcribe-words.ts");
    const sound = await readAsWav(samples, part);
    const found = await contact(host, async (onResponse) => {
      const response = await transcribeWords(server, { sound, model, prompt }, signal);
      onResponse();
      return response;
    });
    return Buffer.from(JSON.stringify(found));
  });
  return JSON.parse(Buffer.from(kept!).toString()) as RecognizedWords;
}

type Moved = { text: string; startSeconds: number; endSeconds: number };

/** Words are snapped before they are put in order, because wrong times may have changed it. */
function toLines(
  recognized: readonly RecognizedWords[],
  parts: readonly Window[],
  snap: <Word extends Moved>(words: readonly Word[]) => Word[],
  offsetSeconds: number,
): TranscriptLine[] {
  const segments = recognized.flatMap((one, i) => {
    const from = parts[i]!.startSeconds + offsetSeconds;
    return (one.segments ?? []).map(({ text, start, end }) => ({ text, start: start + from, end: end + from }));
  });
  const words = recognized.flatMap((one, i) => {
    const from = parts[i]!.startSeconds;
    return withPunctuation(one.words ?? [], one.text).map(({ word: text, start, end, probability }) => {
      const confidence = confidenceOf({ start, end, probability }, one.segments ?? []);
      return { text, startSeconds: start + from, endSeconds: end + from, confidence };
    });
  });
  if (words.length === 0 && segments.length === 0) return [];
  const snapped = snap(words).map(({ startSeconds, endSeconds, text: word, confidence }) => {
    return { word, start: startSeconds + offsetSeconds, end: endSeconds + offsetSeconds, confidence };
  });
  try {
    return readWordJson(snapped.length > 0 ? { words: snapped, segments } : { segments });
  } catch (error) {
    if (!(error instanceof ClipmillError)) throw error;
    throw new ClipmillError("unavailable", `The transcription ${error.message}.`);
  }
}
