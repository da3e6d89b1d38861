/** The links of a job's files: routes in Cloak Manager, with their clicks. */

/** UTC days in `OutputLink.days`, including today. */
export const LINK_DAYS = 30;

export type OutputLink = {
  output_id: string;
  /** The file's. */
  name: string;
  /** The video's place in the job, the variant and the segment, from 0. */
  position: number;
  variant: number;
  segment: number;
  route_id: string;
  /** The public URL, percent-encoded. */
  url: string;
  /** Primary URL of the route. */
  target: string;
  is_active: boolean;
  /** Of all days, at most the last 400. */
  clicks: number;
  /** Clicks of each UTC day, from `first_day` to today. */
  days: number[];
};

/** Answer to jobs, action links: `{jobId}`. */
export type JobLinks = {
  /** Such as 2026-03-01. */
  first_day: string;
  /** By video, variant and segment. */
  links: OutputLink[];
  /** Files of a completed job that have no link. */
  missing: number;
  /** Why they have none, if that can be told. */
  problem: string | null;
  /** False while the newest links wait for a publish. */
  is_published: boolean;
};

/** Answer to jobs, action make-links: `{jobId}`. `problem`: why other files have no link, or null. */
export type MakeLinksResponse = { made: number; problem: string | null };
