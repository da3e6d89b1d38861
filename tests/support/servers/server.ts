/** The real server on a free port with its own database, queue and folder, and the real client. */
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { pino } from "pino";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import type { Database } from "#database/open-database.ts";
import { MOST_UPLOAD_BYTES } from "#contract/library.ts";
import { probe } from "#media/probe/probe.ts";
import { openTextDrawer } from "#media/captions/drawing/text-drawer.ts";
import { createAccount } from "#operations/accounts/create-account.ts";
import { type Acting, TERMINAL } from "#operations/audit/actor.ts";
import type { Context } from "#operations/context.ts";
import { createLinkSigner } from "#operations/downloads/link-signer.ts";
import { createJob } from "#operations/jobs/create/create-job.ts";
import { createSecretBox } from "#operations/settings/secret-box.ts";
import { prepareIntake, type UploadIntake } from "#operations/library/upload-intake.ts";
import { openQueue } from "#queue/open-queue.ts";
import { openServerPort, type ServerPortOptions } from "#server/open-server-port.ts";
import { startServer, type StartServerOptions } from "#server/start-server.ts";
import { openThumbnailDrawer } from "#worker/videos/thumbnail-drawer.ts";
import { openTestDatabase } from "./database.ts";
import { testTools } from "../media/media-tools.ts";
import { openTestStorage, type OpenTestStorage } from "./storages.ts";

export const TEST_ACCOUNT = { email: "operator@clipmill.local", password: "correct horse battery" };
const SECRET = "a secret for tests that is long enough";

export type TestServer = {
  url: string;
  database: Database;
  /** The actor is the terminal. */
  context: Context & Acting;
  /** For files of the test. By default contains the storage (`files`) and the web app (`web`). */
  folder: string;
  /** Signed in as the only account. */
  client: SupabaseClient;
  /** Not signed in. */
  newClient(options?: { vsn?: string }): SupabaseClient;
  create(request?: Partial<CreateJobRequest>): Promise<WholeJob>;
  uploadsUnderWay: UploadIntake["underWay"];
  drawThumbnail: UploadIntake["drawThumbnail"];
  /** Returns file names. */
  listStored(folder: string): Promise<string[]>;
  close(): Promise<void>;
};

type TestServerOptions = Partial<
  Pick<
    StartServerOptions,
    | "publicUrl"
    | "mailer"
    | "allowSignup"
    | "redirector"
    | "fileAddresses"
    | "googleApiBaseUrl"
    | "metrics"
    | "log"
    | "longestUnjoinedMs"
    | "embeddedPages"
    | "ownOrigins"
  >
> &
  Partial<Pick<ServerPortOptions, "port" | "longestRequestMs">> & {
    openDatabase?: () => Promise<Database>;
    openStorage?: OpenTestStorage;
    /** Base URL for caption requests; unreachable by default. */
    openAiUrl?: string;
  };

/** The caller must close the server. `beforeStart` may fill the folder, for example with a web app. */
export async function startTestServer(
  beforeStart?: (folder: string) => Promise<void>,
  {
    openDatabase = openTestDatabase,
    openStorage = openTestStorage,
    openAiUrl = "http://127.0.0.1:9/v1",
    port = 0,
    longestRequestMs,
    ...options
  }: TestServerOptions = {},
): Promise<TestServer> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-server-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  await beforeStart?.(folder);
  const database = await openDatabase();
  stack.defer(() => database.close());
  const queue = await openQueue(database, () => {});
  stack.defer(() => queue.stop());
  const opened = await openStorage(folder);
  stack.defer(() => opened.close());
  const context: Context & Acting = {
    actor: TERMINAL,
    db: database.db,
    queue,
    storage: opened.storage,
    links: createLinkSigner(SECRET),
    secrets: createSecretBox(SECRET),
    openAi: { baseUrl: openAiUrl, model: "a-model" },
  };
  await createAccount(context, TEST_ACCOUNT);
  const log = pino({ level: "silent" });
  const uploads: UploadIntake = {
    folder: path.join(folder, "uploads"),
    mostBytes: MOST_UPLOAD_BYTES,
    underWay: new Set(),
    probe: async (file, look) => probe(await testTools(), file, look),
    drawThumbnail: await openThumbnailDrawer(await testTools(), path.join(folder, "thumbnails"), log),
  };
  await prepareIntake(context, uploads.folder, true);
  const sendsMail = Boolean(options.mailer);
  const serverPort = await openServerPort({ host: "127.0.0.1", port, sendsMail, longestRequestMs });
  const server = await startServer({
    captionMeasure: stack.use(openTextDrawer()),
    context,
    database,
    port: serverPort,
    appSecret: SECRET,
    webRoot: path.join(folder, "web"),
    // Unreachable.
    googleApiBaseUrl: "http://127.0.0.1:9",
    log,
    uploads,
    ...options,
  });
  stack.defer(() => server.close());
  server.serve();
  const running = stack.move();
  const newClient = (options: { vsn?: string } = {}): SupabaseClient => {
    const made = createClient(serverPort.url, "any key", {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: options.vsn ? { vsn: options.vsn } : {},
    });
    running.defer(async () => void (await made.removeAllChannels()));
    return made;
  };
  const client = newClient();
  const { error } = await client.auth.signInWithPassword(TEST_ACCOUNT);
  if (error) throw error;
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
    uploadsUnderWay: uploads.underWay,
    drawThumbnail: uploads.drawThumbnail,
    listStored: (below) => opened.list(below),
    close: () => running.disposeAsync(),
  };
}
