import { Hono } from "hono";
import type { z } from "zod";
import {
  claimSchema,
  heartbeatSchema,
  joinSchema,
  leaveSchema,
  remainingSchema,
  renewSchema,
  waitSchema,
} from "#contract/workers/worker-protocol.ts";
import { ClipmillError, type ErrorCode } from "#contract/errors.ts";
import { isDatabaseOutage } from "#database/server/database-outage.ts";
import { describeError } from "#ground/describe-error.ts";
import { AuthError } from "#operations/accounts/auth-error.ts";
import { VERSION } from "#operations/fleet/list-workers.ts";
import { recordHeartbeat, registerWorker, unregisterWorker } from "#operations/fleet/register-worker.ts";
import { endLostVideo, WORKER_LOST } from "#operations/jobs/videos/end-video.ts";
import { estimateRemaining } from "#operations/jobs/videos/report-video.ts";
import { parseInput } from "#operations/parse-input.ts";
import { claimForToken, readOwnVideos, renewTokenClaims, type TokenWorker } from "#operations/workers/token-claims.ts";
import { requireRoomForWorker, TOKEN_LIMITS } from "#operations/workers/token-limits.ts";
import { handleError, respondWithProblem } from "../requests/error-response.ts";
import { limitBody, readJson } from "../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { claimRoutes } from "./claim-routes.ts";
import { requireWorker } from "./require-worker.ts";
import { createPlaces } from "./take-turns.ts";

const LIMIT_MB = 1;

/** Serves workers without the database. docs/operations/workers-by-token.md describes the protocol. */
export function workerRoutes(server: ServerContext): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const handle = handleError(server.log, respondWithProblem);
  app.onError((error, c) => handle(toWorkerError(error, READS_HOST.test(c.req.path)), c));
  app.use(requireWorker(server));
  app.route("/claims", claimRoutes(server));
  app.use(limitBody(LIMIT_MB));

  /** Such a server may be the only program that can end videos whose last attempt was cut off. */
  let endsLost = false;
  const endLostVideos = async (): Promise<void> => {
    if (endsLost) return;
    endsLost = true;
    try {
      await server.queue.videos.workLost(async (lost) => void (await endLostVideo(server, lost, WORKER_LOST)));
    } catch (error) {
      endsLost = false;
      throw error;
    }
  };

  const post = <Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    run: (request: z.output<Schema>, worker: TokenWorker, signal: AbortSignal) => Promise<unknown>,
  ): void =>
    void app.post(path, async (c) => {
      const request = parseInput(schema, await readJson(c));
      return c.json({ answer: (await run(request, c.get("worker"), c.req.raw.signal)) ?? null });
    });

  const findWorker = async (id: string): Promise<{ isOthers: (tokenId: string) => boolean } | null> => {
    const worker = await server.db.selectFrom("workers").select("token_id").where("id", "=", id).executeTakeFirst();
    return worker ? { isOthers: (tokenId) => worker.token_id !== tokenId } : null;
  };
  const requireOwnWorker = async (tokenId: string, id: string): Promise<void> => {
    const worker = await findWorker(id);
    if (!worker) await requireRoomForWorker(server.db, tokenId);
    else if (worker.isOthers(tokenId)) throw new ClipmillError("forbidden", "This ID is another worker's.");
  };
  const takeWait = createPlaces(TOKEN_LIMITS.waits);

  post("/join", joinSchema, async ({ formerId, ...start }, { tokenId, labels }) => {
    await requireOwnWorker(tokenId, start.id);
    await endLostVideos();
    const worker = { ...start, tokenId, labels, version: VERSION };
    // The data directory's previous worker may have had another token.
    const isOthers = formerId !== null && (await findWorker(formerId))?.isOthers(tokenId);
    return { name: await registerWorker(server, worker, { isAlone: false, formerId: isOthers ? null : formerId }) };
  });
  post("/beat", heartbeatSchema, async ({ known, ...beat }, { tokenId, labels }) => {
    await requireOwnWorker(tokenId, beat.id);
    await endLostVideos();
    return await recordHeartbeat(server, { ...beat, tokenId, labels, version: VERSION, captionVideos: 0 }, known);
  });
  post("/leave", leaveSchema, async ({ id }, { tokenId }) => {
    await requireOwnWorker(tokenId, id);
    await unregisterWorker(server, id);
  });
  post("/wait", waitSchema, async ({ seconds }, { tokenId, labels }, signal) => {
    using place = takeWait(tokenId);
    if (!place) return;
    const limit = AbortSignal.timeout(seconds * 1_000);
    await server.queue.lent.waitForTask(labels, AbortSignal.any([signal, limit]));
  });
  post("/claim", claimSchema, ({ links }, worker) => claimForToken(server, worker, links));
  post("/renew", renewSchema, ({ claims }, { tokenId }) => renewTokenClaims(server, tokenId, claims));
  post("/remaining", remainingSchema, async ({ videoIds }, { tokenId }) => [
    ...(await estimateRemaining(server, await readOwnVideos(server, tokenId, videoIds))),
  ]);
  return app;
}

/** Requests in which the worker takes an error for the host's. */
const READS_HOST = /\/(?:describe|source)$/;

/**
 * A worker decides by the code whether to retry. The server's own failures have the code "unexpected_failure": the
 * worker repeats what it writes, and blames no host. A bug in other requests is "internal", because the worker would
 * repeat them forever.
 */
function toWorkerError(error: Error, isOfHost: boolean): Error {
  if (error instanceof AuthError) return error;
  const described = describeError(error);
  const isOutage = isDatabaseOutage(error) || (described !== error && described.code === "unavailable");
  const isOwn = isOutage || (isOfHost && OWN_CODES.has(described.code));
  return isOwn ? new Error("The server failed.", { cause: error }) : described;
}

const OWN_CODES: ReadonlySet<ErrorCode> = new Set(["internal", "system_error"]);
