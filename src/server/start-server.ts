import type { createServer, RequestListener } from "node:http";
import { createAdaptorServer, type WebSocketServerLike } from "@hono/node-server";
import type { Logger } from "pino";
import { Registry } from "prom-client";
import { WebSocketServer } from "ws";
import type { EmbeddedPages } from "#contract/calls.ts";
import type { SystemResponse } from "#contract/settings/system.ts";
import type { Database } from "#database/open-database.ts";
import type { AccountsContext } from "#operations/accounts/accounts-context.ts";
import { createCodeHasher } from "#operations/accounts/mail/mail-token.ts";
import { createFailedProofNotes } from "#operations/accounts/sign-in/note-failed-proof.ts";
import { createRefreshTokens } from "#operations/accounts/sessions/refresh-token.ts";
import { createThrottles } from "#operations/accounts/sign-in/throttle.ts";
import { NO_REDIRECTOR, type RedirectorSettings } from "#operations/cloak/publishing/redirector-settings.ts";
import type { Context } from "#operations/context.ts";
import type { CaptionMeasure } from "#operations/captions/check-captions.ts";
import type { DrawPreview } from "#operations/previews/draw-preview.ts";
import type { UploadIntake } from "#operations/library/upload-intake.ts";
import type { Port } from "#http/open-port.ts";
import type { FileAddresses } from "#storage/storage.ts";
import { startCollectingReports } from "./tasks/collect-reports.ts";
import { createAccessTokens } from "./auth/sessions/access-token.ts";
import { refreshCookieName } from "./auth/sessions/refresh-cookie.ts";
import { createApp } from "./create-app.ts";
import { startHousekeeping } from "./tasks/housekeeping.ts";
import { createLaterWork } from "./tasks/later-work.ts";
import { isHandshake } from "./realtime/is-handshake.ts";
import { startRealtime } from "./realtime/start-realtime.ts";
import { countSockets, type Metrics } from "./health/metrics.ts";
import type { ServerContext } from "./server-context.ts";

/** The largest live message a client may send: a join with its token is far below. */
const LARGEST_MESSAGE_BYTES = 256 * 1024;
/** How long running requests may take to end when the server closes. */
const CLOSE_GRACE_MS = 2_000;

export type StartServerOptions = {
  context: Context;
  database: Database;
  /** Already open; the server closes it at the end. */
  port: Port;
  appSecret: string;
  /** The folder of the built web app. */
  webRoot: string;
  /** The address that browsers use, when a proxy stands before the server. */
  publicUrl?: string | undefined;
  /** Proxies on other machines that are believed about whom they speak for: addresses and networks. */
  trustedProxies?: string[] | undefined;
  /** Sends the mails about accounts; without one none are sent. Needs `publicUrl`. */
  mailer?: AccountsContext["mailer"];
  allowSignup?: boolean;
  uploads: UploadIntake;
  /** Given by a worker beside the server. */
  captionMeasure: CaptionMeasure;
  drawPreview?: DrawPreview;
  /** The pages of other sites that two screens show; none unless given. */
  embeddedPages?: EmbeddedPages;
  /** Clipmill's own addresses, which those screens must not embed. */
  ownOrigins?: readonly string[];
  /** Which redirector is published to; none unless given. */
  redirector?: RedirectorSettings;
  /** Where a Google Drive key is tested. */
  googleApiBaseUrl: string;
  /** Figures that are kept, and who may read them; nobody unless given. */
  metrics?: Metrics;
  /** Where files are kept, for who asks; in a folder unless told. */
  storageKind?: SystemResponse["storage"];
  /** Where downloads of single files are sent; they come through the server unless given. */
  fileAddresses?: FileAddresses | undefined;
  /** How full the disk is, for /ready. */
  readDisk?: () => string | null;
  /** How long a live connection may stay without joining a channel; ten seconds by default. */
  longestUnjoinedMs?: number | undefined;
  log: Logger;
};

export type RunningServer = {
  /** Starts answering with the app. */
  serve(): void;
  close(): Promise<void>;
};

/** Starts the HTTP side. The port answers as before until the app is served, so that nobody can sign in early. */
export async function startServer(options: StartServerOptions): Promise<RunningServer> {
  const { port, appSecret, database } = options;
  const later = createLaterWork(options.log);
  const server: ServerContext = {
    ...options.context,
    refreshTokens: createRefreshTokens(appSecret),
    hashCode: createCodeHasher(appSecret),
    throttles: createThrottles(),
    noteFailedProof: createFailedProofNotes(),
    mailer: options.mailer ?? null,
    allowSignup: options.allowSignup ?? false,
    runLater: (name, task) => later.run(name, task),
    accessTokens: createAccessTokens(appSecret),
    cookieName: refreshCookieName(appSecret),
    uploads: options.uploads,
    captionMeasure: options.captionMeasure,
    drawPreview: options.drawPreview ?? null,
    publicUrl: options.publicUrl ?? null,
    trustedProxies: options.trustedProxies ?? [],
    redirector: options.redirector ?? NO_REDIRECTOR,
    embeddedPages: options.embeddedPages ?? { batchScheduler: null, warmupRobot: null },
    ownOrigins: options.ownOrigins ?? [],
    googleApiBaseUrl: options.googleApiBaseUrl,
    fileAddresses: options.fileAddresses ?? null,
    readDisk: options.readDisk ?? (() => null),
    kinds: { database: database.isEmbedded ? "embedded" : "postgresql", storage: options.storageKind ?? "folder" },
    metrics: options.metrics ?? { registry: new Registry(), token: null },
    log: options.log,
  };
  const realtime = await startRealtime(server, database, options.longestUnjoinedMs);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LARGEST_MESSAGE_BYTES });
  countSockets(server.metrics, sockets);
  const app = createApp(server, realtime.routes, options.webRoot);
  const collecting = startCollectingReports(server);
  const housekeeping = startHousekeeping(server);
  return {
    serve() {
      createAdaptorServer({
        fetch: app.fetch,
        // The adapter answers on the already open port.
        createServer: ((_options: object, listener: RequestListener) => {
          port.serve(listener, isHandshake);
          return port.http;
        }) as typeof createServer,
        websocket: { server: sockets as WebSocketServerLike },
        // Node itself reads a refused body to its end; the adapter's handling broke the next request on that connection.
        autoCleanupIncoming: false,
      });
    },
    async close() {
      const closed = port.close(CLOSE_GRACE_MS);
      await realtime.stop();
      await collecting.stop();
      await housekeeping.stop();
      await closed;
      await later.settle();
    },
  };
}
