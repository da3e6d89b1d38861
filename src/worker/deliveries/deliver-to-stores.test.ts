import { expect, it } from "vitest";
import { addConnection } from "#operations/connections/change-connection.ts";
import { testDestination } from "#operations/destinations/test-destination.ts";
import { deliverOverCuts } from "#tests/support/deliveries/deliver-over-cuts.ts";
import { addTestDestination, delivered } from "#tests/support/deliveries/deliveries.ts";
import { DELIVERY_STORES } from "#tests/support/deliveries/delivery-stores.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { completeJob } from "#tests/support/jobs/completed-job.ts";
import { openTestWorker } from "#tests/support/servers/worker.ts";

const folder = await makeScratchFolder();
const SIZES = [9_000_000, ...Array.from({ length: 11 }, (_, i) => 20_000 * i)];

it.each(Object.keys(DELIVERY_STORES))("delivers each file once to %s over a connection that is cut", async (name) => {
  const store = await DELIVERY_STORES[name]!(folder);
  await using worker = await openTestWorker({ hosts: store.hosts });
  await worker.start();
  try {
    expect(await deliverOverCuts(worker, store, { sizes: SIZES, cuts: 3 })).toBe(SIZES.length);
  } finally {
    await store.close();
  }
});

it("tests an SFTP server, and tells the operator about a folder that is gone", async () => {
  const store = await DELIVERY_STORES["SFTP"]!(folder);
  await using worker = await openTestWorker({ hosts: store.hosts });
  await worker.start();
  try {
    const { id: connection_id } = await addConnection(worker.context, store.connection);
    const fields = { kind: "sftp", place: "", connection_id } as const;
    const good = await addTestDestination(worker.context, { ...fields, folder: "clips/{job}" });
    expect(await testDestination(worker.context, { id: good.id })).toEqual({
      isValid: true,
      message: expect.any(String),
    });
    expect(await store.read()).toEqual({});
    const gone = await addTestDestination(worker.context, { ...fields, place: "/no/such/folder", folder: "a" });
    expect(await testDestination(worker.context, { id: gone.id })).toMatchObject({ isValid: false });
    const settings = { destinations: [gone.id] };
    const job = await completeJob(worker.context, worker.folder, { settings, sizes: [10] });
    expect(await delivered(worker.context, job.id)).toMatchObject({
      status: "Failed",
      error_message: expect.stringContaining("no file or folder at this path"),
    });
  } finally {
    await store.close();
  }
});
