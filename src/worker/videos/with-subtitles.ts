import { readFile, stat } from "node:fs/promises";
import { ClipmillError, detailsOf, inStep } from "#contract/errors.ts";
import { MAX_SUBTITLE_BYTES, uploadTooLarge } from "#contract/library.ts";
import { streamSettings } from "#contract/job-settings/setting-values.ts";
import { lookOf } from "#media/captions/layout/caption-shape.ts";
import { addSubtitles, distinctWords } from "#media/plan/subtitles/add-subtitles.ts";
import type { RenderRequest } from "#media/plan/render-plan.ts";
import { readSubtitles } from "#media/subtitles/read-subtitles.ts";
import type { Transcript } from "#media/subtitles/transcript.ts";
import { fetchSubtitles } from "../sources/fetch-source.ts";
import type { VideoWorker } from "../worker-context.ts";
import { type Clip, nameFailure } from "./plan-video.ts";
import type { Attempt } from "./attempt.ts";

/** By the clip's number; null without a file. */
type Transcripts = ReadonlyMap<number, Transcript | null>;

/** None if subtitles are off. Throws ClipmillError with a message for the operator, which names the clip. */
export async function obtainTranscripts(
  worker: VideoWorker,
  attempt: Attempt,
  clips: readonly Pick<Clip, "name" | "subtitles">[],
): Promise<Transcripts> {
  const transcripts = new Map<number, Transcript | null>();
  if (!attempt.job.subtitles_enabled) return transcripts;
  for (const [i, { name, subtitles }] of clips.entries()) {
    try {
      transcripts.set(i, subtitles === null ? null : await obtainTranscript(worker, attempt, subtitles));
    } catch (error) {
      throw nameFailure(name, nameFailure("Subtitles", error));
    }
  }
  return transcripts;
}

async function obtainTranscript(
  worker: VideoWorker,
  { job, folder, signal, contact }: Attempt,
  link: string,
): Promise<Transcript> {
  const fetching = { jobId: job.id, folder, signal, contact };
  const { path, name } = await inStep("fetch", () => fetchSubtitles(worker, link, fetching));
  return await inStep("probe", () => readFileOf(path, name));
}

async function readFileOf(path: string, name: string): Promise<Transcript> {
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
  const words = distinctWords([...transcripts.values()].flatMap((transcript) => transcript ?? []));
  const measured = await drawer.measureWords(words, lookOf(streamSettings(job)), signal);
  return addSubtitles(request, transcripts, job, { words, measured });
}
