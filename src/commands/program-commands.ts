import type { Command } from "commander";
import { type Logger, pino } from "pino";
import { ClipmillError } from "#contract/errors.ts";
import type { FirstAccount } from "#operations/accounts/create-account.ts";
import { currentSpan } from "#ground/tracing/tracing.ts";
import { type Config, readConfig } from "../config.ts";
import { readServer, readToken } from "./remote/servers/saved-servers.ts";
import { findWebApp } from "#programs/first-start/find-web-app.ts";
import { startLoneRedirector } from "#programs/start/start-redirector-program.ts";
import type { TokenAccess } from "#programs/start/start-worker-by-token-program.ts";
import type { WorkerProgram } from "#programs/start/start-worker-program.ts";
import { stopOnSignal } from "#programs/stop-on-signal.ts";

type WorkerOptions = { concurrency?: string; labels?: string; untilIdle?: boolean; server?: string; token?: string };

/**
 * Adds start (the default), server, worker and redirector. Each runs until a signal; a worker also exits once drained
 * or idle. Logs go to stderr, messages for people to stdout.
 */
export function addProgramCommands(program: Command): void {
  program
    .command("start", { isDefault: true })
    .description("Start everything: the web app, the worker and the redirector.")
    .action(async () => {
      const { config, log } = open();
      const { startClipmill } = await import("#programs/start/start-clipmill.ts");
      const clipmill = await startClipmill(config, buildWeb, log);
      stopOnSignal(clipmill.stop);
      if (clipmill.notices.length > 0) console.log(`\n${clipmill.notices.join("\n")}`);
      printSignIn(clipmill.firstAccount);
      console.log(`Clipmill is ready: ${clipmill.url}`);
    });

  program
    .command("server")
    .description("Start only the web app and API, without a worker. Requires a PostgreSQL server.")
    .action(async () => {
      const { config, log } = open();
      const { startServerProgram } = await import("#programs/start/start-server-program.ts");
      const server = await startServerProgram(config, buildWeb, log);
      stopOnSignal(server.stop);
      printSignIn(server.firstAccount);
      console.log(`The server is ready: ${server.url}`);
    });

  program
    .command("worker")
    .description(
      "Start only a worker. Requires a PostgreSQL server, or a Clipmill server and a worker token. A worker with a token has no access to the database or the storage. Serves health and metrics on METRICS_PORT.",
    )
    .option("--server <url>", "the Clipmill server, for a worker by token")
    .option("--token <token>", "its token, from Settings → Automation → API Tokens (default: CLIPMILL_TOKEN)")
    .option("--concurrency <videos>", "number of concurrent videos (default: WORKER_CONCURRENCY)")
    .option("--labels <labels>", "labels that jobs can require, such as gpu,eu (default: WORKER_LABELS)")
    .option("--until-idle", "exit after ten seconds without work")
    .action(async (options: WorkerOptions) => {
      const { concurrency, labels, untilIdle = false } = options;
      const { config, log } = open({
        ...(concurrency !== undefined && { WORKER_CONCURRENCY: concurrency }),
        ...(labels !== undefined && { WORKER_LABELS: labels }),
      });
      const drained = Promise.withResolvers<void>();
      const end = { onDrained: drained.resolve, isUntilIdle: untilIdle };
      const access = readAccess(options);
      const worker = access ? await startByToken(config, access, log, end) : await startWithDatabase(config, log, end);
      const stop = stopOnSignal(worker.stop);
      void drained.promise.then(stop);
      const videos = count(config.WORKER_CONCURRENCY, "concurrent video");
      console.log(`The worker is ready for ${videos}${worker.url === null ? "." : `: ${worker.url}`}`);
    });

  program
    .command("redirector")
    .description("Start only the redirector.")
    .action(async () => {
      const { config, log } = open();
      const redirector = await startLoneRedirector(config, log);
      stopOnSignal(redirector.close);
      console.log(`The redirector is ready: http://${config.HOST}:${redirector.port}`);
    });
}

type Ending = { onDrained: () => void; isUntilIdle: boolean };

async function startWithDatabase(config: Config, log: Logger, end: Ending): Promise<WorkerProgram> {
  const { startWorkerProgram } = await import("#programs/start/start-worker-program.ts");
  return await startWorkerProgram(config, log, end);
}

async function startByToken(config: Config, access: TokenAccess, log: Logger, end: Ending): Promise<WorkerProgram> {
  const { startWorkerByTokenProgram } = await import("#programs/start/start-worker-by-token-program.ts");
  return await startWorkerByTokenProgram(config, access, log, end);
}

/** Null for a worker with the database. Throws ClipmillError "invalid". */
function readAccess({ server, token }: WorkerOptions): TokenAccess | null {
  if (server === undefined && token === undefined) return null;
  const given = token ?? process.env.CLIPMILL_TOKEN ?? "";
  if (server === undefined || given === "") {
    throw new ClipmillError("invalid", "A worker by token needs --server and --token (or CLIPMILL_TOKEN).");
  }
  return { server: readServer(server), token: readToken(given) };
}

function open(options: Partial<Record<keyof Config, string>> = {}): { config: Config; log: Logger } {
  const config = readConfig({ ...process.env, ...options });
  // PostgreSQL's details contain rejected values: captions, links, password hashes.
  const redact = { paths: ["err.detail"], remove: true };
  // Structured logs go to stderr; stdout is for people.
  return { config, log: pino({ level: config.LOG_LEVEL, redact, mixin: readTrace }, pino.destination(2)) };
}

/** For every line of the log. */
function readTrace(): { trace?: string } {
  const [, trace] = currentSpan()?.traceparent.split("-") ?? [];
  return trace === undefined ? {} : { trace };
}

/** Counts the seconds on a terminal. */
async function buildWeb(): Promise<string> {
  const startedMs = Date.now();
  const describe = () => `Building the web app (${Math.round((Date.now() - startedMs) / 1_000)} s)`;
  let counting: NodeJS.Timeout | undefined;
  try {
    return await findWebApp(() => {
      if (!process.stdout.isTTY) return console.log("Building the web app (about 20 s)");
      counting = setInterval(() => process.stdout.write(`\r${describe()}`), 1_000);
      return process.stdout.write(describe());
    });
  } finally {
    if (counting) console.log(`\r${describe()}`);
    clearInterval(counting);
  }
}

/** Ends with an empty line: the address stands out below. */
function printSignIn(account: FirstAccount | null): void {
  if (account === null) {
    console.log("\nForgot the password? Run: npx clipmill user reset-password <email>\n");
    return;
  }
  const { email, generatedPassword: password } = account;
  console.log(`\nSign in as ${email} with the password ${password ?? "from ADMIN_PASSWORD"}`);
  console.log(password === null ? "" : "This password is shown only once. Save it now.\n");
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}
