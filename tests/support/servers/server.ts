/** Runs the real server on a free port with its own database, queue and folder, and the real client. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Hono } from "hono";
import { pino } from "pino";
import { Registry } from "prom-client";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import type { Database } from "#database/open-database.ts";
import { probe } from "#media/probe/probe.ts";
import { openTextDrawer } from "#media/captions/drawing/text-drawer.ts";
import { createAccount } from "#operations/accounts/create-account.ts";
import type { ActorContext } from "#operations/audit/write-audit.ts";
import type { Context } from "#operations/context.ts";
import { createJob } from "#operations/jobs/create/create-job.ts";
import { openResumableUploads } from "#operations/library/resumable/resumable-uploads.ts";
import { prepareIntake, type UploadIntake } from "#operations/library/upload-intake.ts";
import { findWebApp } from "#programs/first-start/find-web-app.ts";
import { createApp } from "#server/create-app.ts";
import { openServerPort, type ServerPortOptions } from "#server/open-server-port.ts";
import { startRealtime } from "#server/realtime/start-realtime.ts";
import type { ServerContext, ServerEnv } from "#server/server-context.ts";
import { startServer, type StartServerOptions } from "#server/start-server.ts";
import type { CheckLimits } from "#worker/preflight/link-checks.ts";
import { openPreflight } from "#worker/preflight/open-preflight.ts";
import { openImageThumbnailDrawer, openThumbnailDrawer } from "#worker/videos/thumbnail-drawer.ts";
import { testTools } from "../media/media-tools.ts";
import { checkedFetch, load as loadDocument } from "./check-responses.ts";
import { openTestContext, TEST_SECRET, type TestContextOptions } from "../test-context.ts";

export const TEST_ACCOUNT = { email: "operator@clipmill.local", password: "correct horse battery" };

export type TestServer = {
  url: string;
  database: Database;
  context: Context & ActorContext;
  /** By default contains the storage (`files`) and the web app (`web`). */
  folder: string;
  client: SupabaseClient;
  newClient(options?: { vsn?: string }): SupabaseClient;
  create(request?: Partial<CreateJobRequest>): Promise<WholeJob>;
  uploadsInProgress: UploadIntake["underWay"];
  resumableUploads: UploadIntake["resumable"];
  drawThumbnail: UploadIntake["drawThumbnail"];
  listStored(folder: string): Promise<string[]>;
  close(): Promise<void>;
};

type TestServerOptions = Partial<
  Pick<
    StartServerOptions,
    | "publicUrl"
    | "mailer"
    | "allowSignup"
    | "hasPasswords"
    | "openId"
    | "redirector"
    | "fileAddresses"
    | "metrics"
    | "log"
    | "maxUnjoinedMs"
    | "embeddedPages"
    | "ownOrigins"
  >
> &
  Partial<Pick<ServerPortOptions, "port" | "maxRequestMs">> &
  TestContextOptions & {
    preflightLimits?: CheckLimits;
    watchFolders?: ReadonlyMap<string, string>;
    /** False if the test adds to responses what their schemas cannot have. */
    checksResponses?: boolean;
  };

/** Fills the folder of `startTestServer` with the production build. */
export async function copyWebApp(folder: string): Promise<void> {
  await cp(await findWebApp(), path.join(folder, "web"), { recursive: true });
}

/** The caller must close the server. `beforeStart` may fill the folder. */
export async function startTestServer(
  beforeStart?: (folder: string) => Promise<void>,
  {
    openDatabase,
    openStorage,
    openAiUrl,
    hosts,
    privateWebhooks,
    port = 0,
    maxRequestMs,
    preflightLimits,
    watchFolders = new Map(),
    checksResponses = true,
    ...options
  }: TestServerOptions = {},
): Promise<TestServer> {
  await using stack = new AsyncDisposableStack();
  loadDocument();
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-server-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  await beforeStart?.(folder);
  const { database, storage, context } = await openTestContext(stack, folder, {
    openDatabase,
    openStorage,
    openAiUrl,
    hosts,
    privateWebhooks,
  });
  await createAccount(context, TEST_ACCOUNT);
  const log = pino({ level: "silent" });
  const uploads: UploadIntake = {
    folder: path.join(folder, "uploads"),
    resumable: stack.use(await openResumableUploads(path.join(folder, "resumable-uploads"))),
    underWay: new Set(),
    probe: async (file, look) => probe(await testTools(), file, look),
    drawThumbnail: await openThumbnailDrawer(await testTools(), path.join(folder, "thumbnails"), log),
    drawImageThumbnail: openImageThumbnailDrawer(await testTools(), path.join(folder, "thumbnails")),
  };
  const root = path.join(folder, "excerpts");
  const preflight = await openPreflight({ context, tools: await testTools(), log }, root, preflightLimits);
  stack.defer(() => preflight.stop());
  await prepareIntake(context, uploads.folder, true);
  const signIn = { sendsMail: Boolean(options.mailer), hasPasswords: true, openIdName: null };
  const serverPort = await openServerPort({ host: "127.0.0.1", port, signIn, maxRequestMs });
  const server = await startServer({
    captionMeasure: stack.use(openTextDrawer()),
    context,
    database,
    port: serverPort,
    appSecret: TEST_SECRET,
    webRoot: path.join(folder, "web"),
    log,
    uploads,
    localRoots: { managed: path.join(folder, "watch"), named: watchFolders },
    preflight: (links, caller) => preflight.check(links, caller),
    ...options,
  });
  stack.defer(() => server.close());
  server.serve();
  const running = stack.move();
  const newClient = (options: { vsn?: string } = {}): SupabaseClient => {
    const made = createClient(serverPort.url, "any key", {
      auth: { persistSession: false, autoRefreshToken: false },
      global: checksResponses ? { fetch: checkedFetch } : {},
      realtime: options.vsn ? { vsn: options.vsn } : {},
    });
    running.defer(async () => void (await made.removeAllChannels()));
    return made;
  };
  const client = newClient();
  if (options.hasPasswords ?? true) {
    const { error } = await client.auth.signInWithPassword(TEST_ACCOUNT);
    if (error) throw error;
  }
  return {
    url: serverPort.url,
    database,
    context,
    folder,
    client,
    newClient,
    create: (request) =>
      createJob(
        context,
        { job_name: "A job", input_videos: ["https://drive.google.com/file/d/abc/view"], ...request },
        null,
      ),
    uploadsInProgress: uploads.underWay,
    resumableUploads: uploads.resumable,
    drawThumbnail: uploads.drawThumbnail,
    listStored: (below) => storage.list(below),
    close: () => running.disposeAsync(),
  };
}

/** Opens the app without a port, for requests without a session. */
export async function openTestApp(server: TestServer): Promise<{ app: Hono<ServerEnv>; close: () => Promise<void> }> {
  const context = {
    ...server.context,
    log: pino({ level: "silent" }),
    uploads: { resumable: server.resumableUploads },
    publicUrl: null,
    trustedProxies: [],
    metrics: { registry: new Registry(), token: null },
    embeddedPages: { batchScheduler: null, warmupRobot: null },
  } as unknown as ServerContext;
  const realtime = await startRealtime(context, server.database);
  return { app: createApp(context, realtime.routes, server.folder), close: () => realtime.stop() };
}
