/** A job that remakes rejected files with one change. */
import type { JobRow, RowSettings } from "#contract/job-settings/job-settings.ts";
import { rerunSettings } from "#contract/job-settings/setting-values.ts";
import type { Window } from "#contract/jobs/outputs/assignment.ts";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import { type Job, JOB_LIMITS, type JobOutput, type JobVideo, type WholeJob } from "#contract/jobs/jobs.ts";
import {
  captionsOf,
  formatOfFile,
  languageOfFile,
  settingsOfVideo,
  trackLinksOf,
} from "#contract/jobs/video-settings.ts";
import { assignmentOf, type OutputAssignment } from "../../../jobs/output-assignment.ts";

export const REMAKE_CHANGES = ["caption", "captions", "track", "part", "none"] as const;
export type RemakeChange = (typeof REMAKE_CHANGES)[number];

/** `captions`: new ones, assigned to the files in turn. */
export type Remake = { change: RemakeChange; captions: readonly string[] };

/** Each output becomes a row with its own captions and music, and no variants or segments. */
const ONE_FILE_PER_ROW = {
  variants_per_video: 1,
  segmentation_type: null,
  captions_enabled: false,
  custom_captions: [],
  caption_set_id: null,
  audio_enabled: false,
  custom_audio_links: [],
  audio_set_id: null,
  start_seconds: 0,
  end_seconds: null,
} as const satisfies Partial<RowSettings>;

/** Remakes each file only in its own format and language. */
const ONE_VERSION = { formats: [], languages: [], subtitle_languages: [] };

const SUFFIX = " (Again)";

/** Omits outputs without an alternative caption, track or part, or of unknown source length. */
export function remakeRows(
  job: Job,
  videos: readonly JobVideo[],
  outputs: readonly JobOutput[],
  { change, captions }: Remake,
): JobRow[] {
  const byId = new Map(videos.map((video) => [video.id, video]));
  const rows: JobRow[] = [];
  for (const output of outputs) {
    const video = byId.get(output.video_id);
    const made = video && assignmentOf(job, video, output);
    const next = made && changed(made, video.duration_seconds!, change, captions[rows.length % captions.length]);
    if (!next) continue;
    const { settings, ...row } = job.rows?.[video.position] ?? {};
    const own = settingsOfVideo(job, settings ?? null);
    const format = job.formats.length > 0 && { format: formatOfFile(own, output.variant) };
    const language = languageOfFile(own, output.variant);
    const isOwn = (tag: string) => tag === language;
    const languages = {
      languages: own.languages.filter(isOwn),
      subtitle_languages: own.subtitle_languages.filter(isOwn),
    };
    const version = { ...format, ...(language !== null && languages) };
    rows.push({ ...row, link: video.link, settings: { ...withoutShared(settings), ...version, ...next } });
  }
  return rows;
}

/** Keeps the old job's other settings. */
export function remakeRequest(job: Job, rows: readonly JobRow[]): CreateJobRequest {
  const whole: WholeJob = { input_videos: [], custom_captions: [], custom_audio_links: [], ...job, rows: [...rows] };
  return {
    ...rerunSettings(whole),
    ...ONE_FILE_PER_ROW,
    ...ONE_VERSION,
    custom_captions: [],
    custom_audio_links: [],
    input_videos: rows.map(({ link }) => link),
    job_name: `${job.job_name.slice(0, JOB_LIMITS.nameCharacters - SUFFIX.length)}${SUFFIX}`,
  };
}

/** Returns null without an alternative. */
function changed(
  { settings, assignment }: OutputAssignment,
  durationSeconds: number,
  change: RemakeChange,
  newCaption: string | undefined,
): RowSettings | null {
  const captions = captionsOf(settings);
  const tracks = trackLinksOf(settings);
  const { captionIndex, trackIndex, window } = assignment;
  const variants = settings.variants_per_video;
  const part = change === "part" ? otherPart(window, durationSeconds) : window;
  const caption =
    change === "caption"
      ? otherOf(captions, captionIndex, variants)
      : change === "captions"
        ? (newCaption ?? null)
        : at(captions, captionIndex);
  const track = change === "track" ? otherOf(tracks, trackIndex, variants) : at(tracks, trackIndex);
  const isImpossible =
    (change === "part" && part === null) ||
    ((change === "caption" || change === "captions") && caption === null) ||
    (change === "track" && track === null);
  if (isImpossible) return null;
  return {
    ...(part && { start_seconds: part.startSeconds, end_seconds: part.endSeconds }),
    ...(caption !== null && { captions_enabled: true, custom_captions: [caption] }),
    ...(track !== null && { audio_enabled: true, custom_audio_links: [track] }),
  };
}

function at(list: readonly string[], index: number | null): string | null {
  return index === null ? null : (list[index] ?? null);
}

/** Skips the items of the video's other variants where possible. Returns null without another item. */
function otherOf(list: readonly string[], index: number | null, variants: number): string | null {
  if (index === null || list.length < 2) return null;
  const free = (index + variants) % list.length;
  return list[free === index ? (index + 1) % list.length : free] ?? null;
}

const LEAST_MOVE_SECONDS = 0.5;

/** Returns the next part of the same length, or else the previous; null without another. */
function otherPart(window: Window | null, durationSeconds: number): Window | null {
  if (!window) return null;
  const { startSeconds, endSeconds } = window;
  const length = endSeconds - startSeconds;
  const last = durationSeconds - length;
  const starts = [startSeconds + length, startSeconds - length, last, 0];
  const start = starts.find((s) => s >= 0 && s <= last && Math.abs(s - startSeconds) >= LEAST_MOVE_SECONDS);
  return start === undefined ? null : { startSeconds: start, endSeconds: start + length };
}

/** Drops settings that each single file now has itself. */
function withoutShared(settings: RowSettings = {}): RowSettings {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !Object.hasOwn(ONE_FILE_PER_ROW, name)));
}
