/** Notices of the triggers notify_insert, notify_update and notify_delete. */
export const CHANGES_CHANNEL = "clipmill_changes";

export type Change = {
  table: "jobs" | "job_videos" | "job_outputs" | "deliveries";
  op: "INSERT" | "UPDATE" | "DELETE";
  id: string;
  job_id: string;
  /** True for an update that leaves the status unchanged. */
  isProgress: boolean;
};

type Notice = Omit<Change, "id"> & { ids: string[] };

/**
 * Parses a notice about rows of a job that one statement changed, without validating it, because the trigger writes it.
 * Throws SyntaxError for invalid JSON.
 */
export function parseChanges(payload: string): Change[] {
  const { ids, ...common } = JSON.parse(payload) as Notice;
  return ids.map((id) => Object.assign({ id }, common));
}
