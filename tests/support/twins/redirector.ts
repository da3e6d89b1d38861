import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { request, type IncomingHttpHeaders } from "node:http";
import path from "node:path";
import { createInterface } from "node:readline";
import { pino } from "pino";
import { type PublishedHeader, type PublishedRoute, writeRouteLines } from "#contract/cloak/published-config.ts";
import { sha256Of } from "#ground/checksum.ts";
import { signBody } from "#ground/publish-signature.ts";
import { type Redirector, type RedirectorOptions, startRedirector } from "#redirector/start-redirector.ts";

export const TOKEN = "a publish token for tests";
export const METRICS_TOKEN = "a metrics token for tests";
const LAUNCHER = path.resolve(import.meta.dirname, "../../../bin/clipmill.js");

export function startTestRedirector(folder: string, options: Partial<RedirectorOptions> = {}): Promise<Redirector> {
  return startRedirector({
    host: "127.0.0.1",
    port: 0,
    folder,
    publishToken: TOKEN,
    metricsToken: METRICS_TOKEN,
    log: pino({ level: "silent" }),
    ...options,
  });
}

export type RedirectorProcess = {
  pid: number;
  port: number;
  publishUrl: string;
  stderr(): string;
  kill(): Promise<void>;
  stop(): Promise<void>;
};

export async function startRedirectorProcess(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<RedirectorProcess> {
  const child: ChildProcess = spawn(process.execPath, [LAUNCHER, "redirector"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      REDIRECTOR_PORT: "0",
      VPS_PUBLISH_TOKEN: TOKEN,
      DATA_DIR: dataDir,
      ...environment,
    },
  });
  let stderr = "";
  child.stderr!.on("data", (part: Buffer) => (stderr += part.toString()));
  const ready = Promise.withResolvers<number>();
  createInterface({ input: child.stdout! }).on("line", (line) => {
    const port = /^The redirector is ready: \S+:(\d+)$/.exec(line)?.[1];
    if (port) ready.resolve(Number(port));
  });
  child.once("exit", (code) => ready.reject(new Error(`The redirector ended with ${code}: ${stderr}`)));
  const port = await ready.promise;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  };
  return {
    pid: child.pid!,
    port,
    publishUrl: `http://127.0.0.1:${port}/_clipmill/publish`,
    stderr: () => stderr,
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
  };
}

export function routeOf(number: number, more: Partial<PublishedRoute> = {}): PublishedRoute {
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
    domain: "shop.test",
    slug: `slug-${number}`,
    primary: `https://target.test/${number}`,
    fallback: null,
    ...more,
  };
}

/** `header` overrides fields, even the count and the digest, which otherwise match the routes. */
export function documentOf(version: number, routes: PublishedRoute[], header: Partial<PublishedHeader> = {}): string {
  const lines = writeRouteLines(routes);
  const fullHeader: PublishedHeader = {
    type: "clipmill.config",
    format: 1,
    version,
    publishedAt: new Date().toISOString(),
    routes: routes.length,
    digest: sha256Of(lines),
    ...header,
  };
  return `${JSON.stringify(fullHeader)}\n${lines}`;
}

/** Signs the document by default. */
export async function publish(
  { port }: { port: number },
  document: string,
  headers: Record<string, string> = signBody(TOKEN, Buffer.from(document)),
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`http://127.0.0.1:${port}/_clipmill/publish`, {
    method: "POST",
    headers,
    body: document,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

export type Visit = { status: number; location: string | null; headers: IncomingHttpHeaders; body: string };

/** Sends `rawPath` verbatim. */
export async function visit(
  { port }: { port: number },
  host: string | null,
  rawPath: string,
  options: { method?: string; headers?: Record<string, string> } = {},
): Promise<Visit> {
  const headers = { ...(host === null ? {} : { host }), ...options.headers };
  const sent = request({
    port,
    host: "127.0.0.1",
    path: rawPath,
    headers,
    method: options.method ?? "GET",
    agent: false,
  });
  sent.end();
  const [response] = (await once(sent, "response")) as [import("node:http").IncomingMessage];
  const parts = await response.toArray();
  return {
    status: response.statusCode!,
    location: response.headers.location ?? null,
    headers: response.headers,
    body: Buffer.concat(parts).toString(),
  };
}
