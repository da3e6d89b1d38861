import { z } from "zod";
import type { ErrorCode } from "../errors.ts";
import { JOB_LIMITS } from "../jobs/job-limits.ts";

const MAX_LINKS = 100;

export const preflightSchema = z.object({
  links: z.array(z.string().max(JOB_LIMITS.linkCharacters)).max(MAX_LINKS, "A call can check at most 100 links."),
});

export type ListedFile = { link: string; name: string; size_bytes: number | null };

/** Facts are null until known, and for folders. */
export type PreflightVideo = {
  link: string;
  /** "pending" until the check ends: send the link again. */
  state: "pending" | "ready" | "problem";
  ok: boolean;
  files?: ListedFile[];
  name: string | null;
  duration_seconds: number | null;
  /** In pixels, as displayed. */
  width: number | null;
  height: number | null;
  has_sound: boolean | null;
  /** Why only jobs that replace the sound can use the video. */
  sound_problem: { code: ErrorCode; message: string } | null;
  size_bytes: number | null;
  /** A data URL. */
  thumbnail_url: string | null;
  problem: { code: ErrorCode; message: string } | null;
};

/** In the order of the request. */
export type PreflightResponse = { videos: PreflightVideo[] };

/** `form` distinguishes the forms of a session. A later call replaces the list; an empty list ends it. */
export const prefetchSchema = preflightSchema.extend({ form: z.string().max(100).default("") });

/** How long a list is fetched, at least, after the last call. */
export const PREFETCH_SECONDS = 60;

/** False without a worker next to the server or with prefetching off; repeating the call does not help. */
export type PrefetchResponse = { isPrefetching: boolean };
