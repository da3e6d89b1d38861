import path from "node:path";
import type { Logger } from "pino";
import { ClipmillError, type ErrorCode } from "#contract/errors.ts";
import type { ListedFile } from "#contract/sources/preflight.ts";
import { hasCode } from "#ground/error-code.ts";
import type { RecentMap } from "#ground/recent-map.ts";
import type { Slots } from "#ground/slots.ts";
import { tooLarge } from "#integrations/sources/save-source.ts";
import { describeExcerpt, type VideoFacts } from "#media/excerpt/describe-excerpt.ts";
import { type ExcerptSource, takeExcerpt } from "#media/excerpt/take-excerpt.ts";
import { MAX_VIDEO_BYTES } from "../sources/fetch-source.ts";
import type { CheckRun } from "./link-checks.ts";
import { makeScratch } from "../sources/scratch.ts";
import type { WorkerContext } from "../worker-context.ts";

export type Checker = Pick<WorkerContext, "context" | "tools"> & {
  log: Logger;
  scratchRoot: string;
  excerpts: Slots;
  media: Slots;
  downloaders: Slots;
  /** By link and revision. */
  known: RecentMap<VideoFacts>;
};

export type CheckedFile = {
  name: string | null;
  sizeBytes: number | null;
  /** Null if the excerpt was insufficient. */
  video: VideoFacts | null;
  /** Why a job cannot use the file, as far as a check can tell. */
  problem: ClipmillError | null;
  files?: ListedFile[];
};

/** Errors of this machine or of Clipmill, not of the file. */
const OWN_ERRORS: ReadonlySet<ErrorCode> = new Set([
  "no_space",
  "no_tool",
  "render_failed",
  "system_error",
  "internal",
]);

/** `limit` ends the transfer, after which `place` at the host is released. */
type TransferRun = Pick<CheckRun, "signal"> & { limit: AbortSignal; place: Disposable };

/**
 * Describes a file by an excerpt, or returns the `known` result; caches nothing without a `key`. Errors of this machine
 * and slow hosts are no problems of the file. Throws ClipmillError "cancelled".
 */
export async function describeFile(
  checker: Checker,
  { key, name, source }: { key: string | null; name: string; source: ExcerptSource },
  run: TransferRun,
): Promise<CheckedFile> {
  const file = { name, sizeBytes: source.sizeBytes, video: null, problem: findSizeProblem(source.sizeBytes) };
  if (file.problem) return file;
  const known = key === null ? undefined : checker.known.get(key);
  if (known) return { ...file, video: known };
  try {
    const video = await describe(checker, source, run);
    if (key !== null && video) checker.known.set(key, video);
    return { ...file, video };
  } catch (error) {
    run.signal.throwIfAborted();
    const isSlow = run.limit.aborted && hasCode(error, "network");
    if (error instanceof ClipmillError && !OWN_ERRORS.has(error.code) && !isSlow) return { ...file, problem: error };
    checker.log.warn({ err: error }, "could not describe a file before a job");
    return file;
  }
}

export function findSizeProblem(sizeBytes: number | null): ClipmillError | null {
  if (sizeBytes === 0) return new ClipmillError("not_a_video", "This file is empty.");
  return sizeBytes !== null && sizeBytes > MAX_VIDEO_BYTES ? tooLarge(MAX_VIDEO_BYTES) : null;
}

async function describe(
  { media, scratchRoot, tools }: Checker,
  source: ExcerptSource,
  { signal, place }: TransferRun,
): Promise<VideoFacts | null> {
  await using scratch = await makeScratch(scratchRoot, "excerpt");
  const { folder } = scratch;
  const excerpt = await takeExcerpt(source, path.join(folder, "excerpt"));
  place[Symbol.dispose]();
  return await describeExcerpt(tools, excerpt, { folder, signal, slots: media });
}
