import type { Kysely } from "kysely";
import type { EmbeddedPages } from "#contract/calls.ts";
import type { Tables } from "#database/tables.ts";
import { readPages } from "#operations/settings/page-addresses.ts";

/** A page of ours that takes longer to answer than this would seem broken; the last addresses known stand in. */
const LONGEST_READ_MS = 1_000;

export type FramedPages = {
  /** The origins that may be shown in a frame, as they are saved now. Never rejects. */
  read(): Promise<readonly string[]>;
  /** As they were read last, at no cost. */
  last(): readonly string[];
};

/** Follows the addresses of the embedded pages, whichever server saved them. */
export function createFramedPages(server: { db: Kysely<Tables>; embeddedPages: EmbeddedPages }): FramedPages {
  let last = originsOf(server.embeddedPages);
  const refresh = async (): Promise<void> => {
    last = originsOf(await readPages(server.db, server));
  };
  return {
    async read() {
      const limit = Promise.withResolvers<void>();
      const timer = setTimeout(limit.resolve, LONGEST_READ_MS);
      // Without a database the web app is served all the same.
      await Promise.race([refresh().catch(() => {}), limit.promise]);
      clearTimeout(timer);
      return last;
    },
    last: () => last,
  };
}

function originsOf({ batchScheduler, warmupRobot }: EmbeddedPages): string[] {
  const addresses = [batchScheduler, warmupRobot].filter((address) => address !== null);
  return [...new Set(addresses.map((address) => new URL(address).origin))];
}
