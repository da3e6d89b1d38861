import type { RowChange } from "../../api/connection/realtime.ts";

/** A job, or a video, which has no place of its own in the queue. */
type Watched = { id: string; status: string; held_at?: string | null; queue_position?: number | null };

/**
 * Tells live changes that move a job (or a video) from one status or place in the queue to another (and so change counts
 * and other places) from those that only report progress.
 */
export function createStatusWatch(): (change: RowChange<Watched>) => boolean {
  const lastSeen = new Map<string, string>();
  return (change) => {
    if (change.type === "DELETE") return true;
    const { id, status, held_at: heldAt, queue_position: position } = change.row;
    const seen = [status, heldAt, position].join();
    const isMove = lastSeen.get(id) !== seen;
    lastSeen.set(id, seen);
    return isMove;
  };
}
