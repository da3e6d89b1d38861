/** Caches the last result: 10,000 videos take time. */
import type { JobRow, RowSettings } from "#contract/job-settings/job-settings.ts";
import { countFiles, countOutputSeconds, type FileCounts } from "#contract/jobs/outputs/count-files.ts";
import { countWork, type Work, type WorkSettings } from "#contract/jobs/outputs/count-work.ts";
import { languagesOf, withSwitches } from "#contract/jobs/video-settings.ts";
import { countOwn } from "../../../jobs/row/describe-row.ts";
import type { PlannedVideos } from "./planned-videos.ts";
import { rememberLast } from "../draft/remember-last.ts";

export type JobCounts = {
  files: FileCounts;
  /** Null while a video's length is unknown. */
  outputSeconds: number | null;
  work: Work | null;
  /** Null if variants or languages differ between videos. */
  variants: number | null;
  captionPlaces: number;
  /** Videos with overrides of settings, captions or tracks. */
  own: number;
  ownCaptions: number;
  ownTracks: number;
};

/** `rows` is empty or has one row per link. Cached by the identity of the lists. */
export function countJob(
  { custom_captions: captions, custom_audio_links: tracks, ...settings }: WorkSettings,
  videos: PlannedVideos,
): JobCounts {
  return count(JSON.stringify(settings), captions, tracks, videos.links, videos.rows, videos.durations, videos.parts);
}

const count = rememberLast(
  (
    text: string,
    captions: string[],
    tracks: string[],
    links: readonly string[],
    rows: readonly JobRow[],
    durations: readonly (number | null)[],
    parts: PlannedVideos["parts"],
  ): JobCounts => {
    const others = JSON.parse(text) as Omit<WorkSettings, "custom_captions" | "custom_audio_links">;
    const settings = { ...others, custom_captions: captions, custom_audio_links: tracks };
    const videos = links.map((link, index) => ({
      link,
      durationSeconds: durations[index] ?? null,
      row: rows[index]?.settings ? withSwitches(rows[index].settings) : null,
      ...(parts && { parts: parts[index]! }),
    }));
    const { variants_per_video: variants } = settings;
    const isLikeJob = (row: RowSettings) =>
      (row.variants_per_video ?? variants) === variants &&
      languagesOf({ ...settings, ...row }).length === languagesOf(settings).length;
    const given = videos.flatMap(({ row }) => row ?? []);
    return {
      files: countFiles(settings, videos),
      outputSeconds: countOutputSeconds(settings, videos),
      work: countWork(settings, videos),
      variants: given.every(isLikeJob) ? variants : null,
      captionPlaces: videos.reduce((places, { row }) => places + placesOf(row, variants), 0),
      own: given.filter((row) => countOwn(row) > 0).length,
      ownCaptions: given.filter((row) => row.captions_enabled && (row.custom_captions ?? row.caption_set_id)).length,
      ownTracks: given.filter((row) => row.audio_enabled && (row.custom_audio_links ?? row.audio_set_id)).length,
    };
  },
);

function placesOf(row: RowSettings | null, variants: number): number {
  const isOwn = row?.custom_captions !== undefined || row?.caption_set_id || row?.captions_enabled === false;
  return isOwn ? 0 : (row?.variants_per_video ?? variants);
}
