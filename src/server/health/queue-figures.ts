import { Gauge, type Registry } from "prom-client";
import { readClaiming } from "#operations/fleet/list-workers.ts";
import { listCooldowns } from "#operations/hosts/find-cooldown.ts";
import type { ServerContext } from "../server-context.ts";

/** Returns a function that updates the metrics. If the queue does not respond, they are missing, not stale. */
export function createQueueFigures(
  registry: Registry,
  server: Pick<ServerContext, "db" | "queue" | "log">,
): () => Promise<void> {
  const depth = new Gauge({
    name: "clipmill_queue_tasks",
    help: "Tasks in the queue, by state: waiting, held, postponed, active.",
    labelNames: ["queue", "state"],
    registers: [registry],
  });
  const oldest = new Gauge({
    name: "clipmill_queue_oldest_waiting_seconds",
    help: "Age of the oldest waiting task that could start now; 0 if there is none.",
    labelNames: ["queue"],
    registers: [registry],
  });
  const workers = new Gauge({
    name: "clipmill_workers",
    help: "Live workers, by state: taking (claims videos) or paused, for any reason.",
    labelNames: ["state"],
    registers: [registry],
  });
  const waitingVideosOf = new Gauge({
    name: "clipmill_host_waiting_videos",
    help: "Videos waiting for an outside service, by service.",
    labelNames: ["host"],
    registers: [registry],
  });
  const measure = async (): Promise<void> => {
    depth.reset();
    oldest.reset();
    workers.reset();
    waitingVideosOf.reset();
    const claiming = await readClaiming(server);
    workers.set({ state: "taking" }, claiming.takingWorkers);
    workers.set({ state: "paused" }, claiming.workers - claiming.takingWorkers);
    for (const { host, waitingVideos } of await listCooldowns(server)) waitingVideosOf.set({ host }, waitingVideos);
    for (const measured of await server.queue.measure()) {
      const { name, waiting, held, postponed, active, oldestWaitingSeconds } = measured;
      depth.set({ queue: name, state: "waiting" }, waiting);
      depth.set({ queue: name, state: "held" }, held);
      depth.set({ queue: name, state: "postponed" }, postponed);
      depth.set({ queue: name, state: "active" }, active);
      oldest.set({ queue: name }, oldestWaitingSeconds);
    }
  };
  return () =>
    measure().catch((error: unknown) => {
      server.log.warn({ err: error }, "could not measure the queue");
    });
}
