/** Notices sent by the trigger notify_change. */
export const CHANGES_CHANNEL = "clipmill_changes";

export type Change = {
  table: "jobs" | "job_videos" | "job_outputs" | "deliveries";
  op: "INSERT" | "UPDATE" | "DELETE";
  id: string;
  job_id: string;
  /** True for an update that leaves the status unchanged. */
  isProgress: boolean;
};

/** Parses a notice without validating it, because the trigger writes it. Throws SyntaxError for invalid JSON. */
export function parseChange(payload: string): Change {
  return JSON.parse(payload) as Change;
}
