import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import os from "node:os";
import type { WorkerMedia } from "#contract/settings/system.ts";
import type { Database } from "#database/open-database.ts";
import { repeat } from "#ground/repeat.ts";
import { missingLimits } from "#media/launch/isolation.ts";
import { ALL_WORKERS, FLEET_CHANNEL } from "#operations/fleet/fleet-channel.ts";
import { VERSION } from "#operations/fleet/list-workers.ts";
import type { FleetRecords } from "#operations/fleet/fleet-records.ts";
import type { WorkerHeartbeat, WorkerOrders } from "#operations/fleet/register-worker.ts";
import type { WorkerContext } from "../worker-context.ts";
import type { PauseReasons } from "./pause-reasons.ts";

/** Also the longest delay of a missed notice. */
const BEAT_MS = 3_000;
/** Others consider the worker lost after this long without a heartbeat. */
const LOST_MS = 15_000;

type CurrentWork = Pick<WorkerHeartbeat, "doing" | "captionVideos" | "speed">;

type FleetMember = {
  id: string;
  isConnected(): boolean;
  isDraining(): boolean;
  /** Calls `setConcurrency` immediately and at each change, `drain` for each order to drain. */
  onOrder(listener: { setConcurrency: (count: number) => void; drain: () => void }): void;
  leave(): Promise<void>;
};

type Joining = Pick<WorkerContext, "tools" | "disk" | "id" | "idFile" | "labels" | "log"> & {
  records: FleetRecords;
  database: Pick<Database, "listen">;
};

/** Registers the worker. Pause orders go directly to `pause`. */
export async function joinFleet(
  { records, database, tools, disk, id = randomUUID(), idFile, labels, log }: Joining,
  options: { concurrency: number; canDrain: boolean; pause: PauseReasons; readWork: () => CurrentWork },
): Promise<FleetMember> {
  const { canDrain, pause, readWork } = options;
  const start = {
    id,
    host: os.hostname(),
    version: VERSION,
    pid: process.pid,
    concurrency: options.concurrency,
    canDrain,
    labels,
  };
  const readMedia = (): WorkerMedia => ({
    ...{ ffmpeg: tools.version, origin: tools.origin, missingLimits: [...missingLimits()] },
    ...(tools.encoder && { encoder: tools.encoder.state() }),
  });
  const formerId = idFile === undefined ? null : await readLastWorkerId(idFile);
  const name = await records.join({ ...start, media: readMedia() }, formerId);
  await leaveId(idFile, start.id, log);
  // A built-in worker always joins, before the address is printed.
  log[canDrain ? "info" : "debug"]({ worker: name, workerId: start.id }, "the worker joined the fleet");
  let orders: WorkerOrders = { isPaused: false, isDraining: false, wantedConcurrency: null, isQueuePaused: false };
  const listeners: Parameters<FleetMember["onOrder"]>[0][] = [];
  const concurrency = (): number => orders.wantedConcurrency ?? options.concurrency;

  const applyOrders = (next: WorkerOrders): boolean => {
    const before = orders;
    orders = next;
    pause.set("worker-paused", next.isPaused);
    pause.set("worker-draining", next.isDraining);
    pause.set("queue-paused", next.isQueuePaused);
    const isResized = next.wantedConcurrency !== before.wantedConcurrency;
    const isDrained = next.isDraining && !before.isDraining;
    for (const listener of listeners) {
      if (isResized) listener.setConcurrency(concurrency());
      if (isDrained) listener.drain();
    }
    return JSON.stringify(next) !== JSON.stringify(before);
  };
  let lastBeatAt = performance.now();
  const beat = async (): Promise<void> => {
    const state = { ...readWork(), media: readMedia(), pauseReasons: pause.list(), disk: disk?.state() ?? null };
    const received = await records.beat({ ...start, name, concurrency: concurrency(), ...state }, orders);
    lastBeatAt = performance.now();
    const isNew = applyOrders(received);
    // Confirms the order immediately.
    if (isNew) await beat();
  };

  let isDisconnected = false;
  const beatAgain = async (): Promise<void> => {
    await beat();
    isDisconnected = false;
  };
  const beating = repeat(beatAgain, {
    everyMs: BEAT_MS,
    firstMs: BEAT_MS,
    onError(error, failures) {
      if (failures === 1) log.warn({ err: error }, "could not send a heartbeat; retrying");
      isDisconnected = true;
    },
  });
  const followNotice = (): void => beating.notify();
  const stopListening = await database.listen(
    FLEET_CHANNEL,
    (to) => {
      if (to === start.id || to === ALL_WORKERS) followNotice();
    },
    followNotice,
  );
  await beat();

  return {
    id: start.id,
    // A heartbeat may hang on a connection that drops all packets.
    isConnected: () => !isDisconnected && performance.now() - lastBeatAt < LOST_MS,
    isDraining: () => orders.isDraining,
    onOrder(listener) {
      listeners.push(listener);
      listener.setConcurrency(concurrency());
      if (orders.isDraining) listener.drain();
    },
    async leave() {
      await stopListening();
      await beating.stop();
      // Without the database, the worker still stops and later counts as lost.
      await records.leave(start.id).catch((error: unknown) => {
        log.warn({ err: error }, "could not remove the worker from the fleet");
      });
    },
  };
}

/** Failure only makes the next worker on this directory wait for its name. */
async function leaveId(file: string | undefined, id: string, log: WorkerContext["log"]): Promise<void> {
  if (file === undefined) return;
  await writeLastWorkerId(file, id).catch((error: unknown) => {
    log.warn({ err: error }, "could not save the worker ID for the next start");
  });
}

// Saves the last worker's id in the data directory. Once another worker holds the directory's lock, that one is dead,
// so its heartbeat need not time out. Host names prove nothing: containers and machines may share one.

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns null without a valid id, for example after a power cut. */
async function readLastWorkerId(file: string): Promise<string | null> {
  const text = await readFile(file, "utf8").catch(() => "");
  return UUID.test(text) ? text : null;
}

/** Does not sync the file. */
async function writeLastWorkerId(file: string, id: string): Promise<void> {
  await writeFile(file, id, { mode: 0o600 });
}
