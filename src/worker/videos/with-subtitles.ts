import { readFile, stat } from "node:fs/promises";
import { ClipmillError, detailsOf, inStep } from "#contract/errors.ts";
import { MAX_SUBTITLE_BYTES, uploadTooLarge } from "#contract/library.ts";
import { streamSettings } from "#contract/job-settings/setting-values.ts";
import { hasTranscript } from "#contract/jobs/video-settings.ts";
import { sha256OfFile } from "#ground/checksum.ts";
import { lookOf } from "#media/captions/layout/caption-shape.ts";
import { addSubtitles, distinctWords } from "#media/plan/subtitles/add-subtitles.ts";
import type { RenderRequest } from "#media/plan/render-plan.ts";
import { readSubtitles } from "#media/subtitles/read-subtitles.ts";
import type { Spoken } from "#media/subtitles/find-fillers.ts";
import { shownOf } from "#media/subtitles/tidy-transcript.ts";
import type { Transcript } from "#media/subtitles/transcript.ts";
import type { ClipTranscript } from "#operations/transcripts/obtain-transcript.ts";
import { retryUntilWritten } from "#operations/attempts/retry-until-written.ts";
import { HostCoolsDown } from "#operations/hosts/contact-host.ts";
import { fetchSubtitles } from "../sources/fetch-source.ts";
import type { ProbedSource } from "../sources/probe-source.ts";
import { contentOf } from "../sources/source-cache.ts";
import { AwaitsTranscript } from "../transcripts/awaits-transcript.ts";
import type { VideoWorker } from "../worker-context.ts";
import type { Clip } from "#operations/jobs/videos/clips-of-video.ts";
import { nameFailure } from "./plan-video.ts";
import type { Attempt } from "./attempt.ts";

/** By the clip's number; null without a file or speech. */
export type Transcripts = ReadonlyMap<number, Spoken | null>;

/**
 * Returns none if no setting needs them. Throws AwaitsTranscript while speech is being transcribed, and ClipmillError with a
 * message for the operator, which names the clip.
 */
export async function obtainTranscripts(
  worker: VideoWorker,
  attempt: Attempt,
  clips: readonly Pick<Clip, "name" | "link" | "subtitles">[],
  sources: readonly ProbedSource[],
): Promise<Transcripts> {
  const transcripts = new Map<number, Spoken | null>();
  if (!hasTranscript(attempt.job)) return transcripts;
  const transcribes = await retryUntilWritten(attempt.signal, () => attempt.records.canTranscribe());
  let isWaiting = false;
  for (const [i, clip] of clips.entries()) {
    const of: ClipSource = { clip: i, link: clip.link, source: sources[i]! };
    try {
      const spoken =
        clip.subtitles === null
          ? await readSpeech(attempt, of, transcribes)
          : await readFileOf(worker, attempt, of, clip.subtitles);
      if (spoken === "awaited") isWaiting = true;
      else transcripts.set(i, spoken);
    } catch (error) {
      if (error instanceof HostCoolsDown) throw error;
      throw nameFailure(clip.name, nameFailure(attempt.job.subtitles_enabled ? "Subtitles" : "Fillers", error));
    }
  }
  // Thrown only now, so that all are requested.
  if (isWaiting) throw new AwaitsTranscript();
  return transcripts;
}

type ClipSource = { clip: number; link: string; source: ProbedSource };

async function readSpeech(attempt: Attempt, of: ClipSource, transcribes: boolean): Promise<Spoken | "awaited" | null> {
  const { audio, soundError } = of.source.probe;
  if (!transcribes || !audio || soundError) return null;
  const use = useOf(of, contentOf(of.source));
  return (await retryUntilWritten(attempt.signal, () => attempt.records.obtainTranscript(use))) ?? "awaited";
}

async function readFileOf(worker: VideoWorker, attempt: Attempt, of: ClipSource, link: string): Promise<Spoken> {
  const { job, records, folder, signal, contact } = attempt;
  const fetching = { jobId: job.id, folder, signal, contact };
  const { path, name } = await inStep("fetch", () => fetchSubtitles(worker, link, fetching));
  return await inStep("probe", async () => {
    const use = useOf(of, await sha256OfFile(path));
    return await retryUntilWritten(signal, () => records.keepFileTranscript(use, () => parseFile(path, name)));
  });
}

function useOf({ clip, link, source }: ClipSource, content: string): ClipTranscript {
  return { clip, content, name: source.name, link, durationSeconds: source.probe.durationSeconds };
}

async function parseFile(path: string, name: string): Promise<Transcript> {
  if ((await stat(path)).size > MAX_SUBTITLE_BYTES)
    throw new ClipmillError("bad_subtitles", uploadTooLarge("subtitles"));
  const bytes = await readFile(path);
  try {
    return readSubtitles(bytes);
  } catch (error) {
    if (!(error instanceof ClipmillError)) throw error;
    throw new ClipmillError(error.code, `${name} ${error.message}.`, detailsOf(error));
  }
}

/** Shows the transcripts in the video's own parts if the job's settings say so. Throws what the drawer throws. */
export async function withSubtitles(
  { drawer }: Pick<VideoWorker, "drawer">,
  { job, signal }: Pick<Attempt, "job" | "signal">,
  request: RenderRequest,
  transcripts: Transcripts,
): Promise<RenderRequest> {
  if (!job.subtitles_enabled) return request;
  const shown = new Map([...transcripts].map(([clip, spoken]) => [clip, spoken && shownOf(spoken.lines)]));
  const words = distinctWords([...shown.values()].flatMap((transcript) => transcript ?? []));
  const measured = await drawer.measureWords(words, lookOf(streamSettings(job)), signal);
  return addSubtitles(request, shown, job, { words, measured });
}
