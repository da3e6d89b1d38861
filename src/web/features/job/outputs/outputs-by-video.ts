/** By video ID. Updates are pure and keep unchanged lists. */
import type { JobOutput } from "#contract/jobs/jobs.ts";
import type { RowChange } from "../../../api/connection/realtime.ts";

export type OutputsByVideo = Readonly<Record<string, readonly JobOutput[]>>;

/** Sorts each group by variant, then segment. */
export function groupByVideo(outputs: readonly JobOutput[]): OutputsByVideo {
  const groups: Record<string, JobOutput[]> = {};
  for (const output of outputs) (groups[output.video_id] ??= []).push(output);
  for (const group of Object.values(groups)) group.sort(byPlace);
  return groups;
}

/** Applies changes in order. Other videos keep their lists. */
export function applyToOutputs(groups: OutputsByVideo, changes: readonly RowChange<JobOutput>[]): OutputsByVideo {
  const touched: Record<string, Map<string, JobOutput>> = {};
  const touch = (videoId: string) =>
    (touched[videoId] ??= new Map((groups[videoId] ?? []).map((output) => [output.id, output])));
  for (const change of changes) {
    if (change.type === "DELETE") {
      const videoId = Object.keys(groups).find((id) => groups[id]?.some((output) => output.id === change.id));
      if (videoId) touch(videoId).delete(change.id);
    } else touch(change.row.video_id).set(change.row.id, change.row);
  }
  const changed = Object.entries(touched).map(([id, rows]) => [id, [...rows.values()].toSorted(byPlace)]);
  return { ...groups, ...(Object.fromEntries(changed) as OutputsByVideo) };
}

function byPlace(a: JobOutput, b: JobOutput): number {
  return a.variant - b.variant || a.segment - b.segment;
}
