import type { RowChange } from "../../api/connection/realtime.ts";

/** A job, or a video, which has no queue position. */
type Watched = {
  id: string;
  status: string;
  held_at?: string | null;
  queue_position?: number | null;
  proof_state?: string | null;
};

/** Returns a function that is true for changes of status, hold or queue position, and false for progress alone. */
export function createStatusWatch(): (change: RowChange<Watched>) => boolean {
  const lastSeen = new Map<string, string>();
  return (change) => {
    if (change.type === "DELETE") return true;
    const { id, status, held_at: heldAt, queue_position: position, proof_state: proofState } = change.row;
    const seen = [status, heldAt, position, proofState].join();
    const isMove = lastSeen.get(id) !== seen;
    lastSeen.set(id, seen);
    return isMove;
  };
}
