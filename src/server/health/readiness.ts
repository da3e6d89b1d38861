import { sql } from "kysely";
import type { Context } from "hono";
import type { ServerContext, ServerEnv } from "../server-context.ts";

/** Load balancers poll every few seconds; a slower response is useless to them. */
const TIMEOUT_MS = 2_000;

/** Anyone may poll at any rate, so the result is shared. */
const SHARED_MS = 1_000;

type Readiness = { database: boolean; queue: boolean };

/** /ready: 200 while database and queue respond, else 503, with the state of both and of the disk. */
export function serveReadiness(server: Pick<ServerContext, "db" | "queue" | "readDisk" | "log">) {
  const check = async (): Promise<Readiness> => {
    const [database, queue] = await Promise.all([
      responds(server, "database", () => sql`select 1`.execute(server.db)),
      responds(server, "queue", () => server.queue.measure()),
    ]);
    return { database, queue };
  };
  let shared: { readiness: Promise<Readiness>; untilMs: number } | null = null;
  return async (c: Context<ServerEnv>): Promise<Response> => {
    if (shared === null || performance.now() >= shared.untilMs) {
      shared = { readiness: check(), untilMs: performance.now() + SHARED_MS };
    }
    const { database, queue } = await shared.readiness;
    const isReady = database && queue;
    return c.json(
      { status: isReady ? "ready" : "not ready", database, queue, disk: server.readDisk() },
      isReady ? 200 : 503,
    );
  };
}

async function responds(
  server: Pick<ServerContext, "log">,
  part: string,
  probe: () => Promise<unknown>,
): Promise<boolean> {
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no response within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  try {
    await Promise.race([probe(), deadline]);
    return true;
  } catch (error) {
    server.log.warn({ err: error, part }, "not ready");
    return false;
  } finally {
    clearTimeout(timer);
  }
}
