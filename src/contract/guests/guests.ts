/** Guests open one job's samples by link, without an account. */
import type { ProofState } from "../jobs/jobs.ts";

export const GUEST_LIMITS = {
  defaultDays: 7,
  days: 90,
  linksPerJob: 50,
  commentsPerLink: 100,
  /** From one address. */
  commentsPerMinute: 10,
  authorCharacters: 80,
  messageCharacters: 2_000,
} as const;

export const GUEST_PATH = "/guest/";

/** Also for operators. */
export const SAMPLES_CHANGED = "The samples have changed. Look at them again.";

/** Returned without its token, which is shown only once. */
export type GuestLink = {
  id: string;
  can_approve: boolean;
  expires_at: string;
  revoked_at: string | null;
  /** To the minute. */
  last_seen_at: string | null;
  created_at: string;
};

/** The guest typed the name `author`. `message` is null for an approval without a comment. */
export type GuestComment = {
  id: string;
  author: string;
  message: string | null;
  is_approval: boolean;
  created_at: string;
};

/** jobs, action share. `path` is the guest's page; null for a revoked link. */
export type ShareResponse = { data: GuestLink; path: string | null };

/** jobs, action feedback: `{jobId}`. Links are newest first, comments oldest first. */
export type FeedbackResponse = { data: { links: GuestLink[]; comments: GuestComment[] } };

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
