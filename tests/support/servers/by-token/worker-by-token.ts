import path from "node:path";
import { pino } from "pino";
import { WORKER_SCOPE } from "#contract/api-tokens.ts";
import { createSlots } from "#ground/slots.ts";
import { openTextDrawer } from "#media/captions/drawing/text-drawer.ts";
import type { MediaTools } from "#media/ffmpeg/tools.ts";
import { PIXELS_PER_RUN } from "#media/plan/picture-runs.ts";
import { openStreamCache } from "#media/render/stream-cache.ts";
import type { Context } from "#operations/context.ts";
import { insertToken } from "#operations/tokens/create-token.ts";
import { openServerLine } from "#worker/by-token/server-line.ts";
import { startWorkerByToken } from "#worker/by-token/start-worker-by-token.ts";
import { createProbeCache } from "#worker/sources/probe-cache.ts";
import { openSourceCache } from "#worker/sources/source-cache.ts";
import type { Worker } from "#worker/start-worker.ts";
import type { SourceBaseUrls } from "#contract/sources/source-host.ts";
import type { ClipmillError } from "#contract/errors.ts";
import { testTools } from "../../media/media-tools.ts";

/** Of the first account. */
export async function createWorkerToken(
  { db }: Pick<Context, "db">,
  workerLabels: readonly string[],
): Promise<{ id: string; token: string }> {
  const { id: accountId, email } = await db.selectFrom("accounts").select(["id", "email"]).executeTakeFirstOrThrow();
  const actor = { id: accountId, email };
  const { data, token } = await db
    .transaction()
    .execute((trx) =>
      insertToken(
        { trx, actor },
        { accountId, name: "Far away", scopes: [WORKER_SCOPE], workerLabels, expiresAt: null },
      ),
    );
  return { id: data.id, token };
}

/** In this process, with its own `folder`. The caller must stop it. */
export async function startTestWorkerByToken(options: {
  url: string;
  token: string;
  folder: string;
  baseUrls?: SourceBaseUrls;
  tools?: MediaTools;
  concurrency?: number;
  onRejected?: (error: ClipmillError) => void;
}): Promise<Worker> {
  const { url: server, token, folder, baseUrls = {}, onRejected = () => {} } = options;
  await using stack = new AsyncDisposableStack();
  const line = openServerLine({ server, token }, onRejected);
  stack.defer(() => line.close());
  const worker = await startWorkerByToken(
    {
      line,
      baseUrls,
      ytDlpPath: null,
      tools: options.tools ?? (await testTools()),
      drawer: stack.use(openTextDrawer()),
      sources: await openSourceCache(path.join(folder, "cache"), 1024 ** 3),
      probes: createProbeCache(),
      streams: await openStreamCache(path.join(folder, "streams"), 1024 ** 3),
      encoderSlots: createSlots(PIXELS_PER_RUN),
      scratchRoot: path.join(folder, "scratch"),
      log: pino({ level: "silent" }),
    },
    options.concurrency ?? 1,
  );
  stack.defer(() => worker.stop());
  const running = stack.move();
  return { ...worker, stop: () => running.disposeAsync() };
}
