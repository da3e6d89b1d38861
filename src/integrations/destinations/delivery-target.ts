/** A place that files are delivered to. One implementation per kind of destination. */

import { sha256Of } from "#ground/checksum.ts";

/** A local file, measured. */
export type SentFile = {
  localPath: string;
  sizeBytes: number;
  sha256: string;
  /** The text of a post; other targets ignore it. */
  caption?: string | null;
};
/** The content may be gone, as with a file that was delivered earlier. */
export type ComparedFile = Omit<SentFile, "localPath"> & Partial<Pick<SentFile, "localPath">>;

/**
 * `same`: the target holds exactly this file. `other`: something else has its name. The checksum decides, never a name
 * or date.
 */
export type Held = "nothing" | "same" | "other";

export type SendOptions = {
  signal: AbortSignal;
  /** Replaces an existing file. Otherwise, one that appears meanwhile is never overwritten. */
  replaces: boolean;
  /** What `onProgress` received last; null for a new upload. */
  resume: string | null;
  /** Stores what is needed to continue after a crash; null if the next try must start again. */
  onProgress: (resume: string | null) => Promise<void>;
};

/**
 * Paths are relative and `/`-separated. Every method throws ClipmillError: "network", "rate_limited" or "unavailable"
 * for transient errors, and "bad_key", "not_shared", "source_not_found", "no_space" or "bad_link" for errors that an
 * operator must fix.
 */
export type DeliveryTarget = AsyncDisposable & {
  /** How many files it takes at the same time. */
  filesAtOnce: number;
  /** True if a file that failed must be continued by a later retry, because a part of it is there. */
  keepsProgress: boolean;
  compare(path: string, file: ComparedFile, signal: AbortSignal): Promise<Held>;
  /** Returns once the target holds the whole file, verified; `other` if something else has the name now. */
  send(path: string, file: SentFile, options: SendOptions): Promise<"same" | "other">;
  /** Removes what an upload left that will not be continued. Never throws. */
  abandon(path: string, file: Pick<SentFile, "sha256">, resume: string | null): Promise<void>;
  /** Writes a small file below `folder` and removes it. */
  probe(folder: string, signal: AbortSignal): Promise<void>;
};

/** The content and the name of the file that `probe` writes. */
export const PROBE = { name: ".clipmill-test", content: "Clipmill wrote this file to test the destination." } as const;

/** Returns the name of an unfinished file. Hidden, so that programs that watch the folder ignore it. */
export function temporaryName(path: string, { sha256 }: Pick<SentFile, "sha256">): string {
  return `.clipmill-${sha256Of(`${path}\n${sha256}`).slice(0, 32)}.part`;
}
