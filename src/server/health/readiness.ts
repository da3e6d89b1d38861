import { sql } from "kysely";
import type { Context } from "hono";
import type { ServerContext, ServerEnv } from "../server-context.ts";

/** A balancer asks every few seconds: an answer that takes longer is as bad as none. */
const PATIENCE_MS = 2_000;

/** Anybody may ask, as often as they like: the database is asked once a second for all of them. */
const SHARED_MS = 1_000;

type Readiness = { database: boolean; queue: boolean };

/** Answers /ready: 200 while the database and the queue answer, else 503, naming which one does not; with a word on the disk. */
export function answerReady(server: Pick<ServerContext, "db" | "queue" | "readDisk" | "log">) {
  const look = async (): Promise<Readiness> => {
    const [database, queue] = await Promise.all([
      answers(server, "database", () => sql`select 1`.execute(server.db)),
      answers(server, "queue", () => server.queue.measure()),
    ]);
    return { database, queue };
  };
  let shared: { readiness: Promise<Readiness>; untilMs: number } | null = null;
  return async (c: Context<ServerEnv>): Promise<Response> => {
    if (shared === null || performance.now() >= shared.untilMs) {
      shared = { readiness: look(), untilMs: performance.now() + SHARED_MS };
    }
    const { database, queue } = await shared.readiness;
    const isReady = database && queue;
    return c.json(
      { status: isReady ? "ready" : "not ready", database, queue, disk: server.readDisk() },
      isReady ? 200 : 503,
    );
  };
}

async function answers(
  server: Pick<ServerContext, "log">,
  part: string,
  ask: () => Promise<unknown>,
): Promise<boolean> {
  const { promise: impatience, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer in ${PATIENCE_MS} ms`)), PATIENCE_MS);
  try {
    await Promise.race([ask(), impatience]);
    return true;
  } catch (error) {
    server.log.warn({ err: error, part }, "not ready");
    return false;
  } finally {
    clearTimeout(timer);
  }
}
