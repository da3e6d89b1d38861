import type { SystemResponse } from "#contract/settings/system.ts";
import type { Context } from "../context.ts";
import { listRestingHosts } from "../hosts/list-resting-hosts.ts";
import { listWorkers } from "./list-workers.ts";
import { readQueuePause } from "./queue-pause.ts";
import { VERSION } from "./version.ts";

export async function readSystem(
  context: Pick<Context, "db" | "queue">,
  kinds: Pick<SystemResponse, "database" | "storage">,
): Promise<SystemResponse> {
  const [workers, pause, queues, hosts] = await Promise.all([
    listWorkers(context),
    readQueuePause(context),
    context.queue.measure(),
    listRestingHosts(context),
  ]);
  const { waiting, held, postponed, active, oldestWaitingSeconds } = queues.find(({ name }) => name === "videos")!;
  const queue = { ...pause, waiting, held, postponed, active, oldestWaitingSeconds };
  return { workers, queue, hosts, version: VERSION, ...kinds };
}
