export const CHANGES_CHANNEL = "clipmill_changes";

export type Change = {
  table: "jobs" | "job_videos" | "job_outputs" | "deliveries";
  op: "INSERT" | "UPDATE" | "DELETE";
  id: string;
  job_id: string;
  /** The status stayed the same. */
  isProgress: boolean;
};

type Notice = Omit<Change, "id"> & { ids: string[] };

/** Trusts the notice, because a trigger writes it. Throws SyntaxError for invalid JSON. */
export function parseChanges(payload: string): Change[] {
  const { ids, ...common } = JSON.parse(payload) as Notice;
  return ids.map((id) => Object.assign({ id }, common));
}
