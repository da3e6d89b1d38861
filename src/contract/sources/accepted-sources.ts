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
