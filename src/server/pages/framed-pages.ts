import type { Kysely } from "kysely";
import type { EmbeddedPages } from "#contract/calls.ts";
import type { Tables } from "#database/tables.ts";
import { readPages } from "#operations/settings/read-settings.ts";

/** After this, the last known addresses are used. */
const MAX_READ_MS = 1_000;

export type FramedPages = {
  /** Never rejects. */
  read(): Promise<readonly string[]>;
  /** Makes no query. */
  last(): readonly string[];
};

/** Includes changes by other servers. */
export function createFramedPages(server: { db: Kysely<Tables>; embeddedPages: EmbeddedPages }): FramedPages {
  let last = originsOf(server.embeddedPages);
  const refresh = async (): Promise<void> => {
    last = originsOf(await readPages(server.db, server));
  };
  return {
    async read() {
      const limit = Promise.withResolvers<void>();
      const timer = setTimeout(limit.resolve, MAX_READ_MS);
      // The web app must work without a database.
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
