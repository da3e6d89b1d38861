/** Function preflight: checks links before a job starts. */
import { z } from "zod";
import type { ErrorCode } from "../errors.ts";
import { JOB_LIMITS } from "../jobs/job-limits.ts";

const MAX_LINKS = 100;

export const preflightSchema = z.object({
  links: z.array(z.string().max(JOB_LIMITS.linkCharacters)).max(MAX_LINKS, "A call can check at most 100 links."),
});

/** One file of a folder. */
export type ListedFile = { link: string; name: string; size_bytes: number | null };

/** What is known about one link. Facts are null until they are known, and for folders. */
export type PreflightVideo = {
  /** As sent. */
  link: string;
  /** "pending" until the check ends: send the link again. */
  state: "pending" | "ready" | "problem";
  /** True if a job can use it. */
  ok: boolean;
  /** The files of a folder; absent for a file. */
  files?: ListedFile[];
  name: string | null;
  duration_seconds: number | null;
  /** In pixels, as displayed. */
  width: number | null;
  height: number | null;
  has_sound: boolean | null;
  size_bytes: number | null;
  /** A data URL. */
  thumbnail_url: string | null;
  /** One sentence with what to do. */
  problem: { code: ErrorCode; message: string } | null;
};

/** In the order of the request. */
export type PreflightResponse = { videos: PreflightVideo[] };

/**
 * Body of the function prefetch. `form` distinguishes the forms of one session. A later call replaces the list; an empty
 * list ends it.
 */
export const prefetchSchema = preflightSchema.extend({ form: z.string().max(100).default("") });

/** A list is fetched for at least this long after the last call. */
export const PREFETCH_SECONDS = 60;

/** False without a worker next to the server, or while prefetching is turned off: calling again is in vain. */
export type PrefetchResponse = { isPrefetching: boolean };
