/** Guests open one job's samples by link, without an account. */
import { z } from "zod";
import { component } from "../component.ts";
import { shownSamples, type ProofState } from "../jobs/jobs.ts";

export const GUEST_LIMITS = {
  defaultDays: 7,
  days: 90,
  linksPerJob: 50,
  commentsPerLink: 100,
  /** From one address. */
  commentsPerMinute: 10,
  authorCharacters: 80,
  messageCharacters: 2_000,
  atSeconds: 24 * 60 * 60,
} as const;

export const GUEST_PATH = "/guest/";

/** Also for operators. */
export const SAMPLES_CHANGED = "The samples have changed. Look at them again.";

export const GuestLink = component("GuestLink", "Returned without its token, which is shown only once.", () => ({
  id: z.string(),
  can_approve: z.boolean(),
  expires_at: z.string(),
  revoked_at: z.string().nullable(),
  last_seen_at: z.string().nullable().describe("To the minute."),
  created_at: z.string(),
}));
export type GuestLink = z.infer<typeof GuestLink>;

export const GuestComment = component(
  "GuestComment",
  "The guest typed the name `author`. `message` is null for an approval without a comment.",
  () => ({
    id: z.string(),
    author: z.string(),
    message: z.string().nullable(),
    is_approval: z.boolean(),
    output_id: z.string().nullable().describe("The sample that the comment is about; null for all of them."),
    at_seconds: z.number().nullable().describe("The moment in that sample."),
    created_at: z.string(),
  }),
);
export type GuestComment = z.infer<typeof GuestComment>;

export const ShareResponse = component("ShareResponse", "`path` is the guest's page; null for a revoked link.", () => ({
  data: GuestLink,
  path: z.string().nullable(),
}));
export type ShareResponse = z.infer<typeof ShareResponse>;

export const FeedbackResponse = component("FeedbackResponse", "Links are newest first, comments oldest first.", () => ({
  data: z.object({ links: z.array(GuestLink), comments: z.array(GuestComment) }),
}));
export type FeedbackResponse = z.infer<typeof FeedbackResponse>;

/** A finished sample. Both URLs end with the guest link. */
export type GuestSample = {
  id: string;
  name: string;
  width: number;
  height: number;
  duration_seconds: number;
  media_url: string;
  thumbnail_url: string;
};

/** Everything a guest sees. `can_approve` is false without samples. `comments` are those of this link. */
export type GuestView = {
  job_name: string;
  state: ProofState | "cancelled";
  can_approve: boolean;
  expires_at: string;
  samples: GuestSample[];
  comments: GuestComment[];
};

const jobId = z.uuid({ error: "The job ID is missing or not valid." });

/** jobs, action share: creates or revokes a guest link. */
export const createLinkSchema = z.object({
  jobId,
  days: z
    .int()
    .min(1, `A guest link must be valid for 1 to ${GUEST_LIMITS.days} days.`)
    .max(GUEST_LIMITS.days, `A guest link must be valid for 1 to ${GUEST_LIMITS.days} days.`)
    .default(GUEST_LIMITS.defaultDays),
  can_approve: z.boolean().default(false),
});
export const revokeLinkSchema = z.object({ jobId, revoke: z.uuid({ error: "The link ID is not valid." }) });

const NO_CONTROL = /^[^\p{Cc}\p{Cs}]*$/u;
const NO_CONTROL_BUT_BREAKS = /^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u;

const author = z
  .string("Enter your name.")
  .trim()
  .min(1, "Enter your name.")
  .max(GUEST_LIMITS.authorCharacters, `A name can have at most ${GUEST_LIMITS.authorCharacters} characters.`)
  .regex(NO_CONTROL, "A name cannot contain control characters.");
const message = z
  .string("Enter a comment.")
  .trim()
  .max(GUEST_LIMITS.messageCharacters, "A comment can have at most 2,000 characters.")
  .regex(NO_CONTROL_BUT_BREAKS, "A comment cannot contain control characters.");

export const guestCommentSchema = z
  .object({
    author,
    message: message.min(1, "Enter a comment."),
    output_id: z.uuid("output_id: must be the ID of a sample").nullish(),
    at_seconds: z.number("at_seconds: must be a number of seconds").min(0).max(GUEST_LIMITS.atSeconds).nullish(),
  })
  .refine(({ output_id: sample, at_seconds: seconds }) => sample || seconds == null, {
    error: "at_seconds: needs output_id",
  });
export const guestApprovalSchema = z.object({
  author,
  message: message.nullish().transform((text) => text || null),
  samples: shownSamples.optional(),
});
