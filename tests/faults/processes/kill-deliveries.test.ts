import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import { expect, vi } from "vitest";
import { type Delivery, isOpenDelivery } from "#contract/destinations/deliveries.ts";
import { openDatabase } from "#database/open-database.ts";
import { addConnection } from "#operations/connections/change-connection.ts";
import { listDeliveries } from "#operations/deliveries/list-deliveries.ts";
import { openFolderStorage } from "#storage/open-storage.ts";
import { addTestDestination } from "#tests/support/deliveries/deliveries.ts";
import { DELIVERY_STORES, type DeliveryStore, openS3Store } from "#tests/support/deliveries/delivery-stores.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { completeJob } from "#tests/support/jobs/completed-job.ts";
import { openInstalledFleet } from "#tests/support/servers/fleet.ts";
import { openTestContext } from "#tests/support/test-context.ts";

const FILES = 100;
const KILLS = 20;
/** Large enough to be sent in parts. */
const SIZES = Array.from({ length: FILES }, (_, i) => (i === 0 ? 17 * 1024 ** 2 : 20_000 * i));
const STORES: Record<string, (folder: string) => Promise<Omit<DeliveryStore, "cut">>> = {
  SFTP: DELIVERY_STORES["SFTP"]!,
  S3: openS3Store,
};

const scratch = await makeScratchFolder();

for (const [name, openStore] of Object.entries(STORES)) {
  testFault(
    {
      id: `kill-deliveries-to-${name.toLowerCase()}`,
      fault: `SIGKILL the worker ${KILLS} times while it delivers ${FILES} files to ${name} (PostgreSQL)`,
      expected: "each file arrives once, with the checksum that it was made with, and nothing else is left there",
      // src/worker/deliveries/ covers interrupted tries in one process.
      rounds: { short: 0, full: 3 },
      secondsPerRound: 1_200,
    },
    async () => deliverWhileKilled(openStore),
  );
}

async function deliverWhileKilled(openStore: (typeof STORES)[string]): Promise<Record<string, number>> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(scratch, "round-"));
  const store = await openStore(folder);
  stack.defer(() => store.close());
  const fleet = await openInstalledFleet({ ALLOW_PRIVATE_SOURCES: store.hosts.privateSources!.join(",") });
  stack.defer(() => fleet.close());
  const { context } = await openTestContext(stack, folder, {
    openDatabase: () => openDatabase({ databaseUrl: fleet.databaseUrl, dataDir: null }),
    openStorage: async () => ({
      storage: await openFolderStorage(fleet.storageRoot),
      list: async () => [],
      close: async () => {},
    }),
    hosts: store.hosts,
  });
  const { id: connection_id } = await addConnection(context, store.connection);
  const { id } = await addTestDestination(context, { ...store.place, connection_id, folder: "A/{job}" });
  const job = await completeJob(context, folder, { settings: { destinations: [id] }, sizes: SIZES });
  const read = async () => (await listDeliveries(context, job.id))[0]!;

  let worker = await fleet.start("worker");
  let midway = 0;
  for (let killed = 0; killed < KILLS; killed += 1) {
    const { delivered } = await read();
    // Up to four files each leave some for the last worker. A file that always ends its worker fails the delivery.
    const enough = delivered + 1 + Math.floor(Math.random() * 4);
    await vi.waitUntil(async () => isUnderWay(await read(), enough), { timeout: 120_000, interval: 1 });
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 50));
    await worker.kill();
    const { status } = await read();
    if (isOpenDelivery(status)) midway += 1;
    worker = await fleet.start("worker", { dataDir: worker.dataDir });
  }
  await vi.waitUntil(async () => !isOpenDelivery((await read()).status), { timeout: 300_000, interval: 100 });
  expect(await read()).toMatchObject({ status: "Completed", files: FILES, delivered: FILES, failed: 0 });
  const { "manifest.csv": csv, "manifest.json": json, ...files } = await store.read();
  expect([typeof csv, typeof json]).toEqual(["string", "string"]);
  expect(files).toEqual(Object.fromEntries(job.files.map((file) => [file.name, file.sha256])));
  return { "kills during the delivery": midway };
}

function isUnderWay({ status, delivered }: Delivery, enough: number): boolean {
  return !isOpenDelivery(status) || (status === "Processing" && delivered >= enough);
}
