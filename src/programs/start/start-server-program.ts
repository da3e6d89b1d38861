import path from "node:path";
import type { Logger } from "pino";
import type { SignInOptions } from "#contract/accounts/sign-in.ts";
import type { Port } from "#http/open-port.ts";
import { createMailer } from "#integrations/mail.ts";
import { createOpenIdProvider } from "#integrations/open-id-provider.ts";
import { probe } from "#media/probe/probe.ts";
import type { OpenIdSignIn } from "#operations/accounts/openid/open-id-sign-in.ts";
import type { RedirectorSettings } from "#operations/cloak/publishing/publish-config.ts";
import type { PrefetchSources } from "#operations/sources/prepare-sources.ts";
import type { DrawThumbnail } from "#operations/library/draw-thumbnail.ts";
import { openResumableUploads } from "#operations/library/resumable/resumable-uploads.ts";
import { prepareIntake, type UploadIntake } from "#operations/library/upload-intake.ts";
import { openServerPort } from "#server/open-server-port.ts";
import { startServer } from "#server/start-server.ts";
import { openPreflight } from "#worker/preflight/open-preflight.ts";
import { openPreviews } from "#worker/previews/open-previews.ts";
import { openImageThumbnailDrawer, openThumbnailDrawer } from "#worker/videos/thumbnail-drawer.ts";
import { type Config, openIdSettings, ownOrigins } from "../../config.ts";
import { type FirstStart, finishFirstStart } from "../first-start/finish-first-start.ts";
import { awaitDatabase } from "../await-database.ts";
import {
  type Foundation,
  lockPrograms,
  openFoundation,
  requireServerDatabase,
  warnAboutLocalFiles,
} from "../open-foundation.ts";
import { type Machine, openMachine, prepareMediaTools } from "../open-machine.ts";
import { remoteRedirector } from "./start-redirector-program.ts";

export type ServerProgram = { url: string; stop: () => Promise<void> } & Pick<FirstStart, "firstAccount">;

/** Throws ClipmillError with one sentence. */
export async function startServerProgram(
  config: Config,
  prepareWeb: () => Promise<string>,
  log: Logger,
): Promise<ServerProgram> {
  requireServerDatabase(config, "server");
  await using stack = new AsyncDisposableStack();
  stack.use(lockPrograms(config, ["server"]));
  const port = await openAppPort(config);
  stack.defer(() => port.close());
  const webRoot = await prepareWeb();
  // Only workers encode.
  const tools = await prepareMediaTools({ ...config, ENCODER: "software" }, log);
  const foundation = stack.use(
    await awaitDatabase(log, () => openFoundation(config, log, { service: "clipmill-server" })),
  );
  warnAboutLocalFiles(config, log);
  for (const notice of tools.notices) log.warn(notice);
  const machine = stack.use(await openMachine(foundation, tools));
  const redirector = remoteRedirector(config);
  const server = stack.use(await openServer(foundation, machine, { port, redirector, webRoot }));
  const first = stack.use(await finishFirstStart(foundation, server.drawThumbnail));
  server.serve();
  const running = stack.move();
  return { url: port.url, firstAccount: first.firstAccount, stop: () => running.disposeAsync() };
}

export function openAppPort(config: Config): Promise<Port> {
  const { HOST: host, PORT: port, TRUSTED_PROXIES: trustedProxies } = config;
  return openServerPort({ host, port, trustedProxies, signIn: signInOptions(config) });
}

function signInOptions(config: Config): SignInOptions {
  return {
    sendsMail: config.SMTP_URL !== undefined && config.MAIL_FROM !== undefined,
    hasPasswords: config.PASSWORD_SIGN_IN === "on",
    openIdName: openIdSettings(config)?.name ?? null,
  };
}

function openIdSignIn(config: Config): OpenIdSignIn | null {
  const settings = openIdSettings(config);
  return settings && { name: settings.name, rules: settings.rules, provider: createOpenIdProvider(settings) };
}

/** Serves nothing before `serve`. Dispose of it at the end. */
export async function openServer(
  { config, dataDir, database, context, appSecret, tracing, log }: Foundation,
  { tools, drawer, sources, disk, registry }: Machine,
  options: { port: Port; redirector: RedirectorSettings; webRoot: string; prefetchSources?: PrefetchSources },
): Promise<{ serve: () => void; drawThumbnail: DrawThumbnail } & AsyncDisposable> {
  const { port, redirector, webRoot, prefetchSources } = options;
  await using stack = new AsyncDisposableStack();
  const drawThumbnail = await openThumbnailDrawer(tools, path.join(dataDir, "previews/thumbnails"), log);
  const uploads: UploadIntake = {
    folder: path.join(dataDir, "uploads"),
    resumable: stack.use(await openResumableUploads(path.join(dataDir, "resumable-uploads"))),
    underWay: new Set(),
    probe: (file, look) => probe(tools, file, look),
    drawThumbnail,
    drawImageThumbnail: openImageThumbnailDrawer(tools, path.join(dataDir, "previews/thumbnails")),
  };
  await prepareIntake(context, uploads.folder, database.isEmbedded);
  const previews = await openPreviews({ context, tools, drawer, sources, log }, path.join(dataDir, "previews"));
  stack.defer(() => previews.stop());
  const preflight = await openPreflight({ context, tools, log }, path.join(dataDir, "previews/excerpts"));
  stack.defer(() => preflight.stop());
  const server = await startServer({
    context,
    database,
    port,
    publicUrl: config.PUBLIC_URL,
    trustedProxies: config.TRUSTED_PROXIES,
    mailer: config.SMTP_URL && config.MAIL_FROM ? createMailer(config.SMTP_URL, config.MAIL_FROM) : null,
    allowSignup: config.ALLOW_SIGNUP,
    hasPasswords: config.PASSWORD_SIGN_IN === "on",
    openId: openIdSignIn(config),
    redirector,
    costLimits: { videoMinutes: config.VIDEO_COST_LIMIT_MINUTES, jobMinutes: config.JOB_COST_LIMIT_MINUTES },
    embeddedPages: {
      batchScheduler: config.BATCH_SCHEDULER_URL ?? null,
      warmupRobot: config.WARMUP_ROBOT_URL ?? null,
    },
    ownOrigins: ownOrigins(config),
    uploads,
    localRoots: { managed: path.join(dataDir, "watch"), named: config.WATCH_FOLDERS ?? new Map() },
    captionMeasure: drawer,
    drawPreview: (request, caller) => previews.draw(request, caller),
    measureSilences: previews.measureSilences,
    ...(prefetchSources && { prefetchSources }),
    preflight: (links, caller) => preflight.check(links, caller),
    metrics: { registry, token: config.METRICS_TOKEN ?? null },
    storageKind: config.STORAGE_URL ? "s3" : "folder",
    fileAddresses: config.STORAGE_DOWNLOADS === "presigned" ? context.storage.addresses : undefined,
    readDisk: () => disk.state(),
    tracing,
    appSecret,
    webRoot,
    log,
  });
  stack.defer(() => server.close());
  const open = stack.move();
  return { serve: () => server.serve(), drawThumbnail, [Symbol.asyncDispose]: () => open.disposeAsync() };
}
