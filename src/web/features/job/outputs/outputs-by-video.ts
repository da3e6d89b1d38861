/** By video ID. Updates are pure and keep unchanged lists. */
import type { JobOutput, JobVideo } from "#contract/jobs/jobs.ts";
import type { RowChange } from "../../../api/connection/realtime.ts";
import { newerOf } from "../../../jobs/cache/newer-row.ts";

export type OutputsByVideo = Readonly<Record<string, readonly JobOutput[]>>;

/** Sorts each group by variant, then segment. */
export function groupByVideo(outputs: readonly JobOutput[]): OutputsByVideo {
  const groups: Record<string, JobOutput[]> = {};
  for (const output of outputs) (groups[output.video_id] ??= []).push(output);
  for (const group of Object.values(groups)) group.sort(byPlace);
  return groups;
}

/** Applies changes in order, except those older than the known row. Other videos keep their lists. */
export function applyToOutputs(groups: OutputsByVideo, changes: readonly RowChange<JobOutput>[]): OutputsByVideo {
  const videoIds = changes.some(({ type }) => type === "DELETE") ? videoIdsOf(groups) : new Map<string, string>();
  const touched: Record<string, Map<string, JobOutput>> = {};
  const touch = (videoId: string) =>
    (touched[videoId] ??= new Map((groups[videoId] ?? []).map((output) => [output.id, output])));
  for (const change of changes) {
    if (change.type === "DELETE") {
      const videoId = videoIds.get(change.id);
      if (videoId !== undefined) touch(videoId).delete(change.id);
    } else {
      const rows = touch(change.row.video_id);
      rows.set(change.row.id, newerOf(change.row, rows.get(change.row.id)));
    }
  }
  const changed = Object.entries(touched).map(([id, rows]) => [id, [...rows.values()].toSorted(byPlace)]);
  return { ...groups, ...(Object.fromEntries(changed) as OutputsByVideo) };
}

function videoIdsOf(groups: OutputsByVideo): Map<string, string> {
  return new Map(Object.entries(groups).flatMap(([videoId, group]) => group.map(({ id }) => [id, videoId] as const)));
}

function byPlace(a: JobOutput, b: JobOutput): number {
  return a.variant - b.variant || a.segment - b.segment;
}

/**
 * Returns all files of a processing or completed video; otherwise completed files and those whose error differs from
 * the video's.
 */
export function shownOutputs(video: JobVideo, outputs: readonly JobOutput[]): readonly JobOutput[] {
  if (video.status === "Processing" || video.status === "Completed") return outputs;
  return outputs.filter(
    (output) =>
      output.status === "Completed" || (output.error_message !== null && output.error_message !== video.error_message),
  );
}

/** Returns files in page order. */
export function playlistOf(videos: readonly JobVideo[], outputs: OutputsByVideo): JobOutput[] {
  return videos.flatMap((video) =>
    shownOutputs(video, outputs[video.id] ?? []).filter(({ media_url: mediaUrl }) => mediaUrl !== null),
  );
}

/** Wraps around; returns null for an empty playlist. */
export function stepFrom(playlist: readonly JobOutput[], id: string, by: 1 | -1): JobOutput | null {
  const at = playlist.findIndex((output) => output.id === id);
  return playlist.at((at + by) % playlist.length) ?? null;
}
