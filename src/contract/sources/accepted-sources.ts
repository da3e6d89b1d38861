import type { SourceHostName } from "./link-host.ts";

/** The sources that an installation accepts besides those of the specification. */
export type AcceptedSources = {
  /** Optional hosts that an operator turned on in Settings. */
  hosts: readonly SourceHostName[];
  /** Addresses off the public network, as `host:port`, from which the environment allows files. */
  privateSources: readonly string[];
};

/** A fresh installation accepts only the specification's hosts. */
export const SPECIFIED_SOURCES: AcceptedSources = { hosts: [], privateSources: [] };

/** Returns what a link to a video must point to, for a sentence. */
export function nameAcceptedVideo({ hosts, privateSources }: AcceptedSources): { one: string; several: string } {
  return hosts.length === 0 && privateSources.length === 0
    ? { one: "a Google Drive file", several: "Google Drive files" }
    : { one: "a video from a source that is turned on", several: "videos from sources that are turned on" };
}
