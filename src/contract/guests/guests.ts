/** Guests see the samples of one job by a link, without an account. */
import type { ProofState } from "../jobs/jobs.ts";

export const GUEST_LIMITS = {
  defaultDays: 7,
  days: 90,
  linksPerJob: 50,
  commentsPerLink: 100,
  authorCharacters: 80,
  messageCharacters: 2_000,
} as const;

/** Followed by the token of a guest link. */
export const GUEST_PATH = "/guest/";

/** A guest link as operators see it. Its token is returned once and cannot be read again. */
export type GuestLink = {
  id: string;
  can_approve: boolean;
  expires_at: string;
  revoked_at: string | null;
  /** Approximate, to the minute. */
  last_seen_at: string | null;
  created_at: string;
};

/** `author` is the name that the guest typed. `message` is null for an approval without a comment. */
export type GuestComment = {
  id: string;
  author: string;
  message: string | null;
  is_approval: boolean;
  created_at: string;
};

/** jobs, action share. `path` is the page for the guest; null when a link is revoked. */
export type ShareResponse = { data: GuestLink; path: string | null };

/** jobs, action feedback: `{jobId}`. Links newest first, comments oldest first. */
export type FeedbackResponse = { data: { links: GuestLink[]; comments: GuestComment[] } };

/** A finished sample. Both addresses end with the guest link. */
export type GuestSample = {
  id: string;
  name: string;
  width: number;
  height: number;
  duration_seconds: number;
  media_url: string;
  thumbnail_url: string;
};

/** All that a guest sees. `comments` are those made by this link. */
export type GuestView = {
  job_name: string;
  state: ProofState | "cancelled";
  can_approve: boolean;
  expires_at: string;
  samples: GuestSample[];
  comments: GuestComment[];
};
