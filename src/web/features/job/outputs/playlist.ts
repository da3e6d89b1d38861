import type { JobOutput, JobVideo } from "#contract/jobs/jobs.ts";
import type { OutputsByVideo } from "./outputs-by-video.ts";
import { shownOutputs } from "./shown-outputs.ts";

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
