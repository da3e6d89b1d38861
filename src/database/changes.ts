/** The channel on which the tables say what was touched (see the trigger notify_change). */
export const CHANGES_CHANNEL = "clipmill_changes";

export type Change = {
  table: "jobs" | "job_videos" | "job_outputs";
  op: "INSERT" | "UPDATE" | "DELETE";
  id: string;
  job_id: string;
  /** True when a row was updated and its status is what it was. */
  isProgress: boolean;
};

/** Reads one notice of the channel. */
export function parseChange(payload: string): Change {
  return JSON.parse(payload) as Change;
}
