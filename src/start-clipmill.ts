/** Puts the programs together: server, worker and redirector in one process, on one database and one folder. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import { collectDefaultMetrics, Registry } from "prom-client";
import { MOST_UPLOAD_BYTES } from "#contract/library.ts";
import { migrate } from "#database/migrate.ts";
import { openDatabase } from "#database/open-database.ts";
import { createMailer } from "#integrations/mail.ts";
import { chooseEncoder } from "#media/choose-encoder.ts";
import { drawSampleClips } from "#media/sample-clips.ts";
import { createEncoderSlots } from "#media/encoder-slots.ts";
import { PIXELS_PER_RUN } from "#media/plan/picture-runs.ts";
import { openStreamCache } from "#media/stream-cache.ts";
import { probe } from "#media/probe.ts";
import { findMediaTools, type MediaTools } from "#media/tools.ts";
import { ensureFirstAccount, type FirstAccount } from "#operations/accounts/ensure-first-account.ts";
import type { Context } from "#operations/context.ts";
import { createLinkSigner } from "#operations/downloads/link-signer.ts";
import { addSamples } from "#operations/library/add-samples.ts";
import { readSealingVersion } from "#operations/settings/reseal-secrets.ts";
import { prepareIntake, type UploadIntake } from "#operations/library/upload-intake.ts";
import { createSecretBox } from "#operations/settings/secret-box.ts";
import { openQueue } from "#queue/open-queue.ts";
import { startServer } from "#server/start-server.ts";
import { openStorage } from "#storage/open-storage.ts";
import { openPreviews } from "#worker/open-previews.ts";
import { makeScratch } from "#worker/scratch.ts";
import { openSourceCache } from "#worker/source-cache.ts";
import { startDiskGuard } from "#worker/disk-guard.ts";
import { startWorker } from "#worker/start-worker.ts";
import { createWorkerFigures } from "#worker/worker-figures.ts";
import { readAppSecrets } from "./app-secret.ts";
import type { Config } from "./config.ts";
import { startBuiltInRedirector } from "./start-redirector-program.ts";

const MOST_CACHED_BYTES = 20 * 1024 ** 3;
const MOST_STREAM_BYTES = 10 * 1024 ** 3;

export type Clipmill = {
  url: string;
  context: Context;
  /** The account made by this start, when it was the first. */
  firstAccount: FirstAccount | null;
  stop: () => Promise<void>;
};

/** Starts everything. Throws ClipmillError with one sentence when it cannot: folder taken, port taken, no ffmpeg. */
export async function startClipmill(config: Config, webRoot: string, log: Logger): Promise<Clipmill> {
  await using stack = new AsyncDisposableStack();
  const dataDir = path.resolve(config.DATA_DIR);
  const tools = await prepareMediaTools(config, log);
  const database = await openDatabase({ databaseUrl: config.DATABASE_URL, dataDir });
  stack.defer(() => database.close());
  await migrate(database.db);
  const queue = await openQueue(database, (fault) => log.error({ err: fault }, "the queue has a fault"));
  stack.defer(() => queue.stop());
  const { current: appSecret, previous } = readAppSecrets(config, dataDir);
  const context: Context = {
    db: database.db,
    queue,
    storage: await openStorage(config.STORAGE_URL, dataDir),
    links: createLinkSigner(appSecret),
    secrets: createSecretBox(appSecret, { previous, version: await readSealingVersion(database) }),
    openAi: { baseUrl: config.OPENAI_BASE_URL, model: config.OPENAI_MODEL },
  };
  const uploads: UploadIntake = {
    folder: path.join(dataDir, "uploads"),
    mostBytes: MOST_UPLOAD_BYTES,
    probe: (file, look) => probe(tools, file, look),
  };
  await prepareIntake(context, uploads.folder, database.isEmbedded);
  const sources = await openSourceCache(path.join(dataDir, "cache/sources"), MOST_CACHED_BYTES);
  const outside = {
    googleApiBaseUrl: config.GOOGLE_API_BASE_URL,
    googleDownloadBaseUrl: config.GOOGLE_DOWNLOAD_BASE_URL,
    ytDlpPath: config.YT_DLP_PATH ?? null,
  };
  const previews = await openPreviews({ context, tools, sources, outside, log }, path.join(dataDir, "previews"));
  stack.defer(() => previews.stop());
  const { redirector, settings: redirectorSettings } = await startBuiltInRedirector(config, appSecret, log);
  stack.defer(() => redirector.close());
  // One for all programs of the process.
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const disk = await startDiskGuard(dataDir, log);
  stack.defer(() => disk.stop());
  const server = await startServer({
    context,
    database,
    host: config.HOST,
    port: config.PORT,
    publicUrl: config.PUBLIC_URL,
    mailer: config.SMTP_URL && config.MAIL_FROM ? createMailer(config.SMTP_URL, config.MAIL_FROM) : null,
    allowSignup: config.ALLOW_SIGNUP,
    redirector: redirectorSettings,
    embeddedPages: {
      batchScheduler: config.BATCH_SCHEDULER_URL ?? null,
      warmupRobot: config.WARMUP_ROBOT_URL ?? null,
    },
    uploads,
    drawPreview: (wish, asker) => previews.draw(wish, asker),
    googleApiBaseUrl: config.GOOGLE_API_BASE_URL,
    metrics: { registry, token: config.METRICS_TOKEN ?? null },
    readDisk: () => disk.state(),
    appSecret,
    webRoot,
    log,
  });
  stack.defer(() => server.close());

  const scratchRoot = path.join(dataDir, "scratch");
  const streams = await openStreamCache(path.join(dataDir, "cache/streams"), MOST_STREAM_BYTES);
  const encoderSlots = createEncoderSlots(PIXELS_PER_RUN);
  const figures = createWorkerFigures(registry);
  const worker = await startWorker(
    { context, database, tools, sources, streams, encoderSlots, scratchRoot, outside, disk, figures, log },
    config.WORKER_CONCURRENCY,
  );
  stack.defer(() => worker.stop());
  // Only once all else stands: a start that fails later would take the password, which is shown once, with it.
  const firstAccount = await ensureFirstAccount(context, {
    email: config.ADMIN_EMAIL,
    password: config.ADMIN_PASSWORD,
  });
  const drawing = startDrawingSamples(context, tools, scratchRoot, log);
  stack.defer(drawing.stop);

  const running = stack.move();
  return { url: server.url, context, firstAccount, stop: () => running.disposeAsync() };
}

async function prepareMediaTools(config: Config, log: Logger): Promise<MediaTools> {
  const tools = await findMediaTools({ ffmpegPath: config.FFMPEG_PATH, ffprobePath: config.FFPROBE_PATH });
  const { encoder, refusal } = await chooseEncoder(tools.ffmpeg, config.ENCODER);
  if (refusal !== null)
    log.warn({ wanted: config.ENCODER, refusal }, "this encoder does not work here; software encodes");
  return { ...tools, encoder };
}

/** Draws the sample clips beside everything else: the first sign-in does not wait for them. */
function startDrawingSamples(
  context: Context,
  tools: MediaTools,
  scratchRoot: string,
  log: Logger,
): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const draw = async (): Promise<void> => {
    await using scratch = await makeScratch(scratchRoot, "samples");
    await mkdir(scratch.folder, { recursive: true });
    await addSamples(context, scratch.folder, (folder) => drawSampleClips(tools, folder, { signal: stopping.signal }));
  };
  const done = draw().catch((error: unknown) => {
    if (!stopping.signal.aborted) log.error({ err: error }, "the sample clips could not be drawn");
  });
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}
