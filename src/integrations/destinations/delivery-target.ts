import { sha256Of } from "#ground/checksum.ts";

export type SentFile = {
  localPath: string;
  sizeBytes: number;
  sha256: string;
  /** The text of a post. */
  caption?: string | null;
};
/** The local file of an earlier delivery may have been deleted. */
export type ComparedFile = Omit<SentFile, "localPath"> & Partial<Pick<SentFile, "localPath">>;

/**
 * `same`: exactly this file. `other`: the name belongs to something else. Decided by checksum, never by name or date.
 */
export type Held = "nothing" | "same" | "other";

export type SendOptions = {
  signal: AbortSignal;
  /** Replaces an existing file. If false, never overwrites one, even if it appears during the upload. */
  replaces: boolean;
  /** The last value passed to `onProgress`; null for a new upload. */
  resume: string | null;
  /** Saves a checkpoint for resuming after a crash; null if the next attempt must start over. */
  onProgress: (resume: string | null) => Promise<void>;
};

/**
 * Paths are relative and `/`-separated. Every method throws ClipmillError: "network", "rate_limited" or "unavailable"
 * for transient errors, and "bad_key", "not_shared", "source_not_found", "no_space" or "bad_link" for errors that an
 * operator must fix.
 */
export type DeliveryTarget = AsyncDisposable & {
  filesAtOnce: number;
  /** True if a failed file may be partly delivered, so a retry must resume it. */
  keepsProgress: boolean;
  compare(path: string, file: ComparedFile, signal: AbortSignal): Promise<Held>;
  /** Returns after the target has verified the file; `other` if something else has taken the name. */
  send(path: string, file: SentFile, options: SendOptions): Promise<"same" | "other">;
  /** Cleans up an upload that will not be resumed. Never throws. */
  abandon(path: string, file: Pick<SentFile, "sha256">, resume: string | null): Promise<void>;
  /** Writes a test file below `folder` and removes it. */
  probe(folder: string, signal: AbortSignal): Promise<void>;
};

export const PROBE = { name: ".clipmill-test", content: "Clipmill wrote this file to test the destination." } as const;

/** Hidden, so that programs that watch the folder ignore it. */
export function temporaryName(path: string, { sha256 }: Pick<SentFile, "sha256">): string {
  return `.clipmill-${sha256Of(`${path}\n${sha256}`).slice(0, 32)}.part`;
}
