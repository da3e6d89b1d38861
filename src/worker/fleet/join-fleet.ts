/** A worker's place among the others: it says every few seconds how it is, and does what it is told. */
import { randomUUID } from "node:crypto";
import os from "node:os";
import { missingLimits } from "#media/ffmpeg/launch.ts";
import { beatWorker, leaveFleet, type WorkerBeat, type WorkerOrders } from "#operations/fleet/beat-worker.ts";
import { EVERYONE, FLEET_CHANNEL } from "#operations/fleet/fleet-channel.ts";
import { registerWorker } from "#operations/fleet/register-worker.ts";
import { VERSION } from "#operations/fleet/version.ts";
import { readLastWorkerId, writeLastWorkerId } from "./last-worker-id.ts";
import type { PauseReasons } from "./pause-reasons.ts";
import type { WorkerContext } from "../worker-context.ts";

/** A notice that was missed is made up for after so long. */
const BEAT_MS = 3_000;
/** Others take it for lost then. */
const LOST_MS = 15_000;

/** What it does now. */
export type WorkNow = Pick<WorkerBeat, "doing" | "captionVideos" | "speed">;

export type FleetMember = {
  /** Whether its last beat has reached the database, so that the others know of it. */
  isConnected(): boolean;
  /** Whether it is to end once what runs is finished. */
  isDraining(): boolean;
  /** Calls back at each new order to have so many videos at work, and when it is to end, each time anew. */
  onOrder(listener: { setConcurrency: (count: number) => void; drain: () => void }): void;
  /** Forgets the worker; it is not heard of any more. */
  leave(): Promise<void>;
};

/** Joins, and obeys from then on: orders to pause go to `pause` at once. */
export async function joinFleet(
  {
    context,
    database,
    tools,
    disk,
    idFile,
    log,
  }: Pick<WorkerContext, "context" | "database" | "tools" | "disk" | "idFile" | "log">,
  options: { concurrency: number; canDrain: boolean; pause: PauseReasons; readWork: () => WorkNow },
): Promise<FleetMember> {
  const { canDrain, pause, readWork } = options;
  const start = {
    id: randomUUID(),
    host: os.hostname(),
    version: VERSION,
    media: { ffmpeg: tools.version, origin: tools.origin, missingLimits: [...missingLimits()] },
    pid: process.pid,
    concurrency: options.concurrency,
    canDrain,
  };
  const formerId = idFile === undefined ? null : await readLastWorkerId(idFile);
  const name = await registerWorker(context, start, { isAlone: database.isEmbedded, formerId });
  await leaveId(idFile, start.id, log);
  log.info({ worker: name, workerId: start.id }, "the worker has joined");
  let orders: WorkerOrders = { isPaused: false, isDraining: false, wantedConcurrency: null, isQueuePaused: false };
  const listeners: Parameters<FleetMember["onOrder"]>[0][] = [];
  const concurrency = (): number => orders.wantedConcurrency ?? options.concurrency;

  /** Does what is new in the orders. Returns whether anything is. */
  const obey = (next: WorkerOrders): boolean => {
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
  let heardAt = performance.now();
  const beatOnce = async (): Promise<void> => {
    const now = { ...readWork(), pauseReasons: pause.list(), disk: disk?.state() ?? null };
    const told = await beatWorker(context, { ...start, name, concurrency: concurrency(), ...now }, orders);
    heardAt = performance.now();
    const isNew = obey(told);
    // So that whoever gave the order sees at once that it was heard.
    if (isNew) await beatOnce();
  };

  let beating: Promise<void> | null = null;
  let isAskedAgain = false;
  let isSilent = false;
  const beat = (): void => {
    isAskedAgain = beating !== null;
    beating ??= beatOnce()
      .then(
        () => void (isSilent = false),
        (error: unknown) => {
          if (!isSilent) log.warn({ err: error }, "the worker cannot say that it is alive; trying again");
          isSilent = true;
        },
      )
      .finally(() => {
        beating = null;
        if (isAskedAgain && !isSilent) beat();
      });
  };
  const stopListening = await database.listen(
    FLEET_CHANNEL,
    (to) => {
      if (to === start.id || to === EVERYONE) beat();
    },
    beat,
  );
  await beatOnce();
  const timer = setInterval(beat, BEAT_MS);

  return {
    // A beat may also hang, on a line that swallows everything.
    isConnected: () => !isSilent && performance.now() - heardAt < LOST_MS,
    isDraining: () => orders.isDraining,
    onOrder(listener) {
      listeners.push(listener);
      listener.setConcurrency(concurrency());
      if (orders.isDraining) listener.drain();
    },
    async leave() {
      clearInterval(timer);
      await stopListening();
      isAskedAgain = false;
      await beating;
      // Without the database it counts as lost instead, and still stops.
      await leaveFleet(context, start.id).catch((error: unknown) => {
        log.warn({ err: error }, "the worker could not say that it leaves");
      });
    },
  };
}

/** Without it the next worker here has to wait for its name, which is no reason not to work. */
async function leaveId(file: string | undefined, id: string, log: WorkerContext["log"]): Promise<void> {
  if (file === undefined) return;
  await writeLastWorkerId(file, id).catch((error: unknown) => {
    log.warn({ err: error }, "the worker could not leave its id to the next one");
  });
}
