import type { AcceptedSources } from "./accepted-sources.ts";

/** Returns what a link to a video must point to, for a sentence. */
export function nameAcceptedVideo({ hosts, privateSources }: AcceptedSources): { one: string; several: string } {
  return hosts.length === 0 && privateSources.length === 0
    ? { one: "a Google Drive file", several: "Google Drive files" }
    : { one: "a video from a source that is turned on", several: "videos from sources that are turned on" };
}
