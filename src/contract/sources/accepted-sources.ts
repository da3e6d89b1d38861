import type { SourceHostName } from "./link-host.ts";

/** What jobs may use. */
export type AcceptedSources = {
  hosts: readonly SourceHostName[];
  /** Non-public `host:port` addresses from which the environment allows files. */
  privateSources: readonly string[];
  /** Subtitles can be made from speech. */
  canTranscribe?: boolean;
};

export const SPECIFIED_SOURCES: AcceptedSources = { hosts: [], privateSources: [] };

export function nameAcceptedVideo({ hosts, privateSources }: AcceptedSources): { one: string; several: string } {
  return hosts.length === 0 && privateSources.length === 0
    ? { one: "a Google Drive file", several: "Google Drive files" }
    : { one: "a video from a source that is turned on", several: "videos from sources that are turned on" };
}
