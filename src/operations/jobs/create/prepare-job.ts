import { setImmediate as nextTurn } from "node:timers/promises";
import type { Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { ColumnSettings, JobSettings } from "#contract/job-settings/job-settings.ts";
import type { Combination } from "#contract/jobs/assemblies/slots.ts";
import type { CostLimits } from "#contract/jobs/jobs.ts";
import { layerImages } from "#contract/jobs/outputs/layer-rules.ts";
import { sizeProblem } from "#contract/jobs/size-problem.ts";
import { settingsOfVideo } from "#contract/jobs/video-settings.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../../context.ts";
import { requireDestinations } from "../../destinations/change-destination.ts";
import { holdLibraryFiles, requireImages } from "../../library/library-uses.ts";
import { cleanFolderName } from "../job-folders.ts";
import { requireLinkDomain } from "../links/make-links.ts";
import { rowBytes } from "../read/select-videos.ts";
import { toStored } from "../read/stored-settings.ts";
import { runPure } from "../../thread/run-pure.ts";
import { requireTranslatable } from "./require-translatable.ts";
import { errorOf, snapshotSets } from "./snapshot-sets.ts";

/**
 * Copies the sets, combines the slots' clips, and locks the library files in use. Throws ClipmillError "invalid" if the
 * sets are too large, if an image, a destination or the link domain is missing, or if its captions cannot be translated.
 */
export async function prepareJob(
  trx: Transaction<Tables>,
  { hosts }: Pick<Context, "hosts">,
  input: JobSettings,
): Promise<{ snapshot: JobSettings; combinations: Combination[]; fileIds: string[] }> {
  const snapshot = await snapshotSets(trx, input);
  await nextTurn();
  const problem = sizeProblem(snapshot);
  if (problem) throw errorOf(problem);
  const rows = snapshot.rows.flatMap(({ settings }) => settings ?? []);
  const tracks = [snapshot, ...rows].flatMap(({ custom_audio_links: links = [] }) => links);
  // Merging all settings of 10,000 rows takes 40 ms.
  const { watermark_enabled, watermark_image } = snapshot;
  const watermarks = [snapshot, ...rows.map((row) => settingsOfVideo({ watermark_enabled, watermark_image }, row))];
  const columns = snapshot.rows.map(({ pass = {} }) => pass);
  const images = watermarks.map(usedImage);
  const layers = layerImages(snapshot.layers, columns);
  const others = [snapshot, ...rows].flatMap((settings) => [
    settings.intro_link ?? null,
    settings.outro_link ?? null,
    settings.subtitles ?? null,
  ]);
  others.push(...snapshot.slots.flatMap(({ clips }) => clips.flatMap(({ subtitles }) => subtitles ?? [])));
  await nextTurn();
  const fileIds = await holdLibraryFiles(trx, [...snapshot.input_videos, ...tracks, ...images, ...layers, ...others]);
  await requireImages(trx, images, "watermark");
  await requireImages(trx, layers, "layer");
  await requireLinkDomain(trx, snapshot);
  await requireTranslatable({ db: trx, hosts }, snapshot);
  await requireDestinations(trx, snapshot.destinations);
  const combinations = await runPure("combineClips", snapshot.slots, snapshot.combine, snapshot.exclude);
  return { snapshot, combinations, fileIds };
}

export function toJobColumns(
  input: JobSettings,
  combinations: readonly Combination[],
): ColumnSettings & { settings: string; total_videos: number; row_bytes: number | null } {
  const settings: JobSettings = {
    ...input,
    watermark_enabled: input.watermark_enabled && (input.watermark_text ?? input.watermark_image) !== null,
    watermark_image: usedImage(input),
    output_folder: input.output_folder ? cleanFolderName(input.output_folder) : null,
  };
  const videos = input.slots.length > 0 ? combinations.length : input.input_videos.length;
  return { ...toStored(settings), total_videos: videos, row_bytes: rowBytes(input.rows) };
}

/** A job that does not use the image must not prevent its deletion. */
function usedImage(input: Pick<JobSettings, "watermark_enabled" | "watermark_image">): string | null {
  return input.watermark_enabled ? input.watermark_image : null;
}

/**
 * Costs are in minutes of 1080p at 30 frames per second. Throws ClipmillError "too_large" above a limit. Requires the
 * job's lock.
 */
export async function requireAffordable(
  trx: Transaction<Tables>,
  video: { jobId: string; videoId: string; costMinutes: number },
  limits: CostLimits,
): Promise<void> {
  if (video.costMinutes > limits.videoMinutes) {
    const taken = `This video would take about ${inMinutes(video.costMinutes)} of encoding`;
    const allowed = `more than the ${limits.videoMinutes.toLocaleString("en-US")} allowed per video (VIDEO_COST_LIMIT_MINUTES)`;
    throw tooLarge(
      `${taken}, ${COUNTED}, ${allowed}. Use a shorter video or fewer captions.`,
      video.costMinutes,
      limits,
    );
  }
  const { others } = await trx
    .selectFrom("job_videos")
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("cost_minutes"), eb.val(0)).as("others"))
    .where("job_id", "=", video.jobId)
    .where("id", "!=", video.videoId)
    .executeTakeFirstOrThrow();
  const jobMinutes = others + video.costMinutes;
  if (jobMinutes <= limits.jobMinutes) return;
  const taken = `With this video, the job would take about ${inMinutes(jobMinutes)} of encoding`;
  const allowed = `more than the ${limits.jobMinutes.toLocaleString("en-US")} allowed per job (JOB_COST_LIMIT_MINUTES)`;
  throw tooLarge(`${taken}, ${COUNTED}, ${allowed}. Split the job, or use fewer captions.`, jobMinutes, limits);
}

const COUNTED = "counted as 1080p at 30 frames per second";

function tooLarge(sentence: string, costMinutes: number, limits: CostLimits): ClipmillError {
  return new ClipmillError("too_large", sentence, { facts: { costMinutes, ...limits } });
}

function inMinutes(minutes: number): string {
  const rounded = Number(minutes.toPrecision(3));
  return `${rounded.toLocaleString("en-US", { maximumSignificantDigits: 3 })} ${rounded === 1 ? "minute" : "minutes"}`;
}
