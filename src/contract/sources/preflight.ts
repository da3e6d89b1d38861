import { z } from "zod";
import { component } from "../component.ts";
import { JOB_LIMITS } from "../jobs/job-limits.ts";
import { ErrorCode } from "../problems.ts";

/** In a call. */
export const MAX_CHECKED_LINKS = 100;

export const preflightSchema = z.object({
  links: z
    .array(z.string().max(JOB_LIMITS.linkCharacters))
    .max(MAX_CHECKED_LINKS, "A call can check at most 100 links."),
});

export const ListedFile = component("ListedFile", () => ({
  link: z.string(),
  name: z.string(),
  size_bytes: z.number().nullable(),
}));
export type ListedFile = z.infer<typeof ListedFile>;

export const PreflightVideo = component("PreflightVideo", "Facts are null until known, and for folders.", () => ({
  link: z.string(),
  state: z.enum(["pending", "ready", "problem"]).describe('"pending" until the check ends: send the link again.'),
  ok: z.boolean(),
  files: z.array(ListedFile).exactOptional(),
  name: z.string().nullable(),
  duration_seconds: z.number().nullable(),
  width: z.number().nullable().describe("In pixels, as displayed."),
  height: z.number().nullable(),
  has_sound: z.boolean().nullable(),
  sound_problem: z
    .object({ code: ErrorCode, message: z.string() })
    .nullable()
    .describe("Why only jobs that replace the sound can use the video."),
  size_bytes: z.number().nullable(),
  thumbnail_url: z.string().nullable().describe("A data URL."),
  problem: z.object({ code: ErrorCode, message: z.string() }).nullable(),
}));
export type PreflightVideo = z.infer<typeof PreflightVideo>;

export const PreflightResponse = component("PreflightResponse", "In the order of the request.", () => ({
  videos: z.array(PreflightVideo),
}));
export type PreflightResponse = z.infer<typeof PreflightResponse>;

/** `form` distinguishes the forms of a session. A later call replaces the list; an empty list ends it. */
export const prefetchSchema = preflightSchema.extend({
  form: z.string().max(100).default("").describe("An ID of your choice for the open form."),
});

/** How long a list is fetched, at least, after the last call. */
export const PREFETCH_SECONDS = 60;

export const PrefetchResponse = component(
  "PrefetchResponse",
  "False without a worker next to the server or with prefetching off; repeating the call does not help.",
  () => ({ isPrefetching: z.boolean() }),
);
export type PrefetchResponse = z.infer<typeof PrefetchResponse>;
