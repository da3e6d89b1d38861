import { readFile, stat } from "node:fs/promises";
import { ClipmillError, detailsOf, inStep } from "#contract/errors.ts";
import { MAX_SUBTITLE_BYTES, uploadTooLarge } from "#contract/library.ts";
import { streamSettings } from "#contract/job-settings/setting-values.ts";
import { subtitlesOf } from "#contract/jobs/video-settings.ts";
import { lookOf } from "#media/captions/layout/caption-shape.ts";
import { addSubtitles, distinctWords } from "#media/plan/add-subtitles.ts";
import type { RenderRequest } from "#media/plan/render-plan.ts";
import { readSubtitles } from "#media/subtitles/read-subtitles.ts";
import type { Transcript } from "#media/subtitles/transcript.ts";
import { fetchSubtitles } from "../sources/fetch-source.ts";
import type { WorkerContext } from "../worker-context.ts";
import { nameFailure } from "./plan-video.ts";
import type { Attempt } from "./store-file.ts";

/** Null if subtitles are off or the video has no file of them. Throws ClipmillError with a message for the operator. */
export async function obtainTranscript(
  worker: WorkerContext,
  { job, folder, signal, contact }: Attempt,
): Promise<Transcript | null> {
  const link = subtitlesOf(job);
  if (link === null) return null;
  try {
    const fetching = { jobId: job.id, folder, signal, contact };
    const { path, name } = await inStep("fetch", () => fetchSubtitles(worker, link, fetching));
    return await inStep("probe", () => readFileOf(path, name));
  } catch (error) {
    throw nameFailure("Subtitles", error);
  }
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

/** Shows the transcript in the video's own parts if the job's settings say so. Throws what the drawer throws. */
export async function withSubtitles(
  { drawer }: Pick<WorkerContext, "drawer">,
  { job, signal }: Pick<Attempt, "job" | "signal">,
  request: RenderRequest,
  transcript: Transcript | null,
): Promise<RenderRequest> {
  if (!job.subtitles_enabled) return request;
  const words = distinctWords(transcript ?? []);
  const measured = await drawer.measureWords(words, lookOf(streamSettings(job)), signal);
  return addSubtitles(request, new Map([[0, transcript]]), job, { words, measured });
}
