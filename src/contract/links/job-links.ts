/** In `OutputLink.days`, including today. */
export const LINK_DAYS = 30;

export type OutputLink = {
  output_id: string;
  name: string;
  /** The video's place in the job, from 0. */
  position: number;
  variant: number;
  segment: number;
  route_id: string;
  /** Public, percent-encoded. */
  url: string;
  target: string;
  is_active: boolean;
  /** Total of all days, at most the last 400. */
  clicks: number;
  /** By UTC day, from `first_day` to today. */
  days: number[];
};

/** jobs, action links: `{jobId}`. */
export type JobLinks = {
  first_day: string;
  /** Sorted by video, variant and segment. */
  links: OutputLink[];
  /** Files of a completed job without a link. */
  missing: number;
  /** The reason, if known. */
  problem: string | null;
  /** False while the newest links await a publish. */
  is_published: boolean;
};

/** jobs, action make-links: `{jobId}`. `problem`: why other files have no link, or null. */
export type MakeLinksResponse = { made: number; problem: string | null };
