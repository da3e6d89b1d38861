import type { RowChange } from "../api/realtime.ts";

/**
 * Tells live changes that move a job (or a video) from one status to another (and so change counts and places in the queue) from
 * those that only report progress.
 */
export function createStatusWatch(): (change: RowChange<{ id: string; status: string }>) => boolean {
  const lastSeen = new Map<string, string>();
  return (change) => {
    if (change.type === "DELETE") return true;
    const { id, status } = change.row;
    const isMove = lastSeen.get(id) !== status;
    lastSeen.set(id, status);
    return isMove;
  };
}
