import type { SourceBaseUrls } from "#contract/sources/source-host.ts";

/** The environment's settings of source hosts. */
export type HostSettings = {
  baseUrls: SourceBaseUrls;
  /** Addresses off the public network, as `host:port`, from which files may be fetched. */
  privateSources: readonly string[];
  /** Null to search PATH. */
  ytDlpPath: string | null;
};
