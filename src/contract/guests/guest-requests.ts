import { z } from "zod";
import { shownSamples } from "../jobs/approval.ts";
import { GUEST_LIMITS } from "./guests.ts";

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

export const guestCommentSchema = z.object({ author, message: message.min(1, "Enter a comment.") });
export const guestApprovalSchema = z.object({
  author,
  message: message.nullish().transform((text) => text || null),
  samples: shownSamples.optional(),
});
