import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { isOpenDelivery } from "#contract/destinations/deliveries.ts";
import { listDeliveries } from "#operations/deliveries/list-deliveries.ts";
import { addConnection } from "#operations/connections/change-connection.ts";
import { addTestDestination, delivered } from "./deliveries.ts";
import type { DeliveryStore } from "./delivery-stores.ts";
import { completeJob } from "../jobs/completed-job.ts";
import type { TestWorker } from "../servers/worker.ts";

/**
 * Cuts the connection `cuts` times, each time after another file has arrived. Expects each file exactly once, intact
 * and under its name. Returns the number of files.
 */
export async function deliverOverCuts(
  worker: TestWorker,
  store: DeliveryStore,
  { sizes, cuts }: { sizes: readonly number[]; cuts: number },
): Promise<number> {
  const { context } = worker;
  const { id: connection_id } = await addConnection(context, store.connection);
  const { id } = await addTestDestination(context, { ...store.place, connection_id, folder: "A/{job}" });
  const job = await completeJob(context, worker.folder, { settings: { destinations: [id] }, sizes });
  let made = 0;
  let last = -1;
  for (;;) {
    const [delivery] = await listDeliveries(context, job.id);
    if (!isOpenDelivery(delivery!.status)) break;
    if (made < cuts && delivery!.delivered > last) {
      last = delivery!.delivered;
      made += 1;
      store.cut();
    }
    await delay(5);
  }
  const wanted = { status: "Completed", files: sizes.length, delivered: sizes.length, failed: 0 };
  expect(await delivered(context, job.id)).toMatchObject(wanted);
  expect(made).toBe(cuts);
  const { "manifest.csv": csv, "manifest.json": json, ...files } = await store.read();
  const manifest = store.hasManifests === false ? "undefined" : "string";
  expect([typeof csv, typeof json]).toEqual([manifest, manifest]);
  expect(files).toEqual(Object.fromEntries(job.files.map(({ name, sha256 }) => [name, sha256])));
  return job.files.length;
}
