import type { createServer, RequestListener } from "node:http";
import { createAdaptorServer, type WebSocketServerLike } from "@hono/node-server";
import type { Logger } from "pino";
import { Registry } from "prom-client";
import { WebSocketServer } from "ws";
import type { EmbeddedPages } from "#contract/calls.ts";
import { COST_LIMITS, type CostLimits } from "#contract/jobs/jobs.ts";
import type { SystemResponse } from "#contract/settings/system.ts";
import type { Database } from "#database/open-database.ts";
import type { AccountsContext } from "#operations/accounts/account.ts";
import type { Tracing } from "#ground/tracing/tracing.ts";
import type { OpenIdSignIn } from "#operations/accounts/openid/open-id-sign-in.ts";
import { createCodeHasher } from "#operations/accounts/mail/mail-token.ts";
import { createFailedProofRecorder } from "#operations/accounts/sign-in/record-failed-proof.ts";
import { createRefreshTokens } from "#operations/accounts/sessions/refresh-token.ts";
import { createThrottles } from "#operations/accounts/sign-in/throttle.ts";
import { NO_REDIRECTOR, type RedirectorSettings } from "#operations/cloak/publishing/publish-config.ts";
import type { Context } from "#operations/context.ts";
import { createClientIds } from "#operations/oauth/client-ids.ts";
import type { CaptionMeasure } from "#operations/captions/check-captions.ts";
import type { PrefetchSources, Preflight } from "#operations/sources/prepare-sources.ts";
import type { DrawPreview } from "#operations/previews/draw-preview.ts";
import type { MeasureSilences } from "#operations/previews/measure-silences.ts";
import type { LocalRoots } from "#operations/watch-folders/local/local-folders.ts";
import type { UploadIntake } from "#operations/library/upload-intake.ts";
import type { Port } from "#http/open-port.ts";
import type { FileAddresses } from "#storage/storage.ts";
import { startCollectingReports } from "./tasks/collect-reports.ts";
import { startSending } from "./tasks/send-events.ts";
import { createAccessTokens } from "./auth/sessions/access-token.ts";
import { createStartSigner } from "./auth/sessions/start-signer.ts";
import { refreshCookieName } from "./auth/sessions/refresh-cookie.ts";
import { createApp } from "./create-app.ts";
import { startHousekeeping } from "./tasks/housekeeping.ts";
import { startWakingHosts } from "./tasks/wake-hosts.ts";
import { startWatching } from "./tasks/watch-folders.ts";
import { createBackgroundTasks } from "./tasks/background-tasks.ts";
import { isHandshake } from "./realtime/connection.ts";
import { startRealtime } from "./realtime/start-realtime.ts";
import { countSockets, type Metrics } from "./health/metrics.ts";
import type { ServerContext } from "./server-context.ts";

/** A join with its token is far smaller. */
const MAX_MESSAGE_BYTES = 256 * 1024;
const CLOSE_GRACE_MS = 2_000;

export type StartServerOptions = {
  context: Context;
  database: Database;
  /** Closed with the server. */
  port: Port;
  appSecret: string;
  webRoot: string;
  /** For browsers, if a proxy is in front. */
  publicUrl?: string | undefined;
  trustedProxies?: string[] | undefined;
  /** Absent: no mails are sent. Needs `publicUrl`. */
  mailer?: AccountsContext["mailer"];
  allowSignup?: boolean;
  /** True by default. */
  hasPasswords?: boolean;
  openId?: OpenIdSignIn | null;
  uploads: UploadIntake;
  localRoots: LocalRoots;
  captionMeasure: CaptionMeasure;
  drawPreview?: DrawPreview;
  measureSilences?: MeasureSilences;
  prefetchSources?: PrefetchSources;
  preflight?: Preflight;
  embeddedPages?: EmbeddedPages;
  ownOrigins?: readonly string[];
  redirector?: RedirectorSettings;
  costLimits?: CostLimits;
  metrics?: Metrics;
  storageKind?: SystemResponse["storage"];
  /** By default, files are streamed through the server. */
  fileAddresses?: FileAddresses | undefined;
  readDisk?: () => string | null;
  tracing?: Tracing | null;
  /** Ten seconds by default. */
  maxUnjoinedMs?: number | undefined;
  log: Logger;
};

export type RunningServer = {
  serve(): void;
  close(): Promise<void>;
};

/** Until `serve`, the port still responds that Clipmill is starting: no early sign-in. */
export async function startServer(options: StartServerOptions): Promise<RunningServer> {
  const { port, appSecret, database } = options;
  const later = createBackgroundTasks(options.log);
  const server: ServerContext = {
    ...options.context,
    refreshTokens: createRefreshTokens(appSecret),
    hashCode: createCodeHasher(appSecret),
    throttles: createThrottles(),
    noteFailedProof: createFailedProofRecorder(),
    mailer: options.mailer ?? null,
    allowSignup: options.allowSignup ?? false,
    hasPasswords: options.hasPasswords ?? true,
    openId: options.openId ?? null,
    signInStarts: createStartSigner(appSecret),
    runInBackground: (name, task) => later.run(name, task),
    accessTokens: createAccessTokens(appSecret),
    clientIds: createClientIds(appSecret),
    cookieName: refreshCookieName(appSecret),
    uploads: options.uploads,
    localRoots: options.localRoots,
    captionMeasure: options.captionMeasure,
    drawPreview: options.drawPreview ?? null,
    measureSilences: options.measureSilences ?? null,
    prefetchSources: options.prefetchSources ?? null,
    preflight: options.preflight ?? null,
    publicUrl: options.publicUrl ?? null,
    trustedProxies: options.trustedProxies ?? [],
    redirector: options.redirector ?? NO_REDIRECTOR,
    costLimits: options.costLimits ?? COST_LIMITS,
    embeddedPages: options.embeddedPages ?? { batchScheduler: null, warmupRobot: null },
    ownOrigins: options.ownOrigins ?? [],
    fileAddresses: options.fileAddresses ?? null,
    readDisk: options.readDisk ?? (() => null),
    tracing: options.tracing ?? null,
    kinds: { database: database.isEmbedded ? "embedded" : "postgresql", storage: options.storageKind ?? "folder" },
    metrics: options.metrics ?? { registry: new Registry(), token: null },
    log: options.log,
  };
  const realtime = await startRealtime(server, database, options.maxUnjoinedMs);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  countSockets(server.metrics, sockets);
  const app = createApp(server, realtime.routes, options.webRoot);
  const collecting = startCollectingReports(server);
  const sending = await startSending(server);
  const housekeeping = startHousekeeping(server);
  const watching = await startWatching(server);
  const waking = startWakingHosts(server);
  return {
    serve() {
      createAdaptorServer({
        fetch: app.fetch,
        // The port is already open.
        createServer: ((_options: object, listener: RequestListener) => {
          port.serve(listener, isHandshake);
          return port.http;
        }) as typeof createServer,
        websocket: { server: sockets as WebSocketServerLike },
        // Node drains a rejected body itself; the adapter's cleanup broke the connection's next request.
        autoCleanupIncoming: false,
      });
    },
    async close() {
      const closed = port.close(CLOSE_GRACE_MS);
      await realtime.stop();
      await collecting.stop();
      await sending.stop();
      await housekeeping.stop();
      await watching.stop();
      await waking.stop();
      await closed;
      await later.settle();
    },
  };
}
