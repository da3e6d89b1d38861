import { describe } from "vitest";
import { deliverOverCuts } from "#tests/support/deliveries/deliver-over-cuts.ts";
import { DELIVERY_STORES } from "#tests/support/deliveries/delivery-stores.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { openTestWorker } from "#tests/support/servers/worker.ts";

const folder = await makeScratchFolder();
const FILES = 100;
const CUTS = 20;

describe.each(Object.keys(DELIVERY_STORES))("deliveries to %s", (name) => {
  testFault(
    {
      id: `deliveries-to-${name.toLowerCase().replaceAll(" ", "-")}`,
      fault: `100 files are delivered to ${name} while the connection is cut 20 times`,
      expected: "each file arrives once, with the checksum that it was made with",
      // deliver-to-stores.test.ts delivers 12 files over 3 cuts.
      rounds: { short: 0, full: 5 },
      secondsPerRound: 300,
    },
    async () => {
      const store = await DELIVERY_STORES[name]!(folder);
      await using worker = await openTestWorker({ hosts: store.hosts });
      await worker.start();
      try {
        const sizes = Array.from({ length: FILES }, (_, i) => (i === 0 ? 9_000_000 : 2_500 * i));
        await deliverOverCuts(worker, store, { sizes, cuts: CUTS });
      } finally {
        await store.close();
      }
    },
  );
});
