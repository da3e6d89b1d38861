import type { Context } from "../context.ts";
import {
  recordHeartbeat,
  registerWorker,
  unregisterWorker,
  type WorkerHeartbeat,
  type WorkerOrders,
  type WorkerStart,
} from "./register-worker.ts";

/** A worker's place in the fleet. */
export type FleetRecords = {
  /** Returns the worker's name. `formerId` is its predecessor's. */
  join(start: WorkerStart, formerId: string | null): Promise<string>;
  /** Like recordHeartbeat. */
  beat(heartbeat: WorkerHeartbeat, known: Omit<WorkerOrders, "isQueuePaused">): Promise<WorkerOrders>;
  leave(id: string): Promise<void>;
};

/** `isAlone`: no other worker can be alive. */
export function createFleetRecords(context: Pick<Context, "db">, { isAlone }: { isAlone: boolean }): FleetRecords {
  return {
    join: (start, formerId) => registerWorker(context, start, { isAlone, formerId }),
    beat: (heartbeat, known) => recordHeartbeat(context, heartbeat, known),
    leave: (id) => unregisterWorker(context, id),
  };
}
