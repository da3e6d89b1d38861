/**
 * Passes commands to the running Clipmill, the only process that can use its embedded database: a line of JSON each
 * way, over a Unix socket that only the data directory's owner can open.
 */
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Logger } from "pino";
import { ClipmillError, type ErrorCode } from "#contract/errors.ts";

/** The system's limit is 104 or 107 bytes. */
const MAX_PATH_BYTES = 100;
const FOLDER = "control";
const ADDRESS = "address";

type Request = { command: string; [option: string]: unknown };
type Answer = { done: unknown } | { failed: { code: ErrorCode; message: string } | null };
export type CommandHandlers = Record<string, (request: Request, signal: AbortSignal) => Promise<unknown>>;

/**
 * Aborts a handler's signal when the caller disconnects. Only for the sole process on the data directory. Logs a
 * warning if the socket cannot be created.
 */
export async function listenForCommands(
  dataDir: string,
  handlers: CommandHandlers,
  log: Logger,
): Promise<AsyncDisposable> {
  const folder = path.join(dataDir, FOLDER);
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const server = net.createServer((socket) => {
    const answering = answer(socket, { handlers, log, stopping: stopping.signal }).finally(() =>
      running.delete(answering),
    );
    running.add(answering);
  });
  let temporary: string | null = null;
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const preferred = path.join(folder, "socket");
    try {
      await listen(server, preferred);
    } catch {
      // The path is too long, or the file system does not support sockets.
      temporary = mkdtempSync(path.join(os.tmpdir(), "clipmill-"));
      await listen(server, path.join(temporary, "socket"));
    }
    writeFileSync(path.join(folder, ADDRESS), server.address() as string, { mode: 0o600 });
  } catch (error) {
    log.warn(
      { err: error },
      "could not create the control socket: commands such as `clipmill backup` cannot reach this process",
    );
  }
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      server.close();
      await Promise.all(running);
      rmSync(folder, { recursive: true, force: true });
      if (temporary !== null) rmSync(temporary, { recursive: true, force: true });
    },
  };
}

async function listen(server: net.Server, at: string): Promise<void> {
  if (Buffer.byteLength(at) > MAX_PATH_BYTES) throw new Error("The path is too long for a socket.");
  server.listen(at);
  await once(server, "listening");
  chmodSync(at, 0o600);
}

async function answer(
  socket: net.Socket,
  { handlers, log, stopping }: { handlers: CommandHandlers; log: Logger; stopping: AbortSignal },
): Promise<void> {
  const disconnected = new AbortController();
  socket.on("close", () => disconnected.abort());
  // A close event follows.
  socket.on("error", () => {});
  const signal = AbortSignal.any([disconnected.signal, stopping]);
  const reply = await readRequest(socket, signal)
    .then((request) => act(handlers, request, signal))
    .catch((error: unknown): Answer => {
      if (error instanceof ClipmillError) return { failed: { code: error.code, message: error.message } };
      if (!signal.aborted) log.error({ err: error }, "a local command failed");
      return { failed: null };
    });
  if (signal.aborted) socket.destroy();
  else socket.end(`${JSON.stringify(reply)}\n`);
}

async function readRequest(socket: net.Socket, signal: AbortSignal): Promise<Request> {
  const [line] = (await once(createInterface({ input: socket }), "line", { signal })) as [string];
  return JSON.parse(line) as Request;
}

async function act(handlers: CommandHandlers, request: Request, signal: AbortSignal): Promise<Answer> {
  const handle = handlers[request.command];
  if (!handle) throw new ClipmillError("invalid", "The running Clipmill instance is a different version. Restart it.");
  return { done: await handle(request, signal) };
}

/**
 * Waits without a timeout. Returns null if no Clipmill is listening. Rethrows its ClipmillError; throws "unavailable"
 * if it failed or stopped.
 */
export async function callRunningInstance(dataDir: string, request: Request): Promise<{ result: unknown } | null> {
  const socket = await connect(dataDir);
  if (!socket) return null;
  try {
    socket.write(`${JSON.stringify(request)}\n`);
    for await (const line of createInterface({ input: socket })) {
      const reply = JSON.parse(line) as Answer;
      if ("done" in reply) return { result: reply.done };
      if (reply.failed) throw new ClipmillError(reply.failed.code, reply.failed.message);
      break;
    }
  } catch (error) {
    if (error instanceof ClipmillError) throw error;
  } finally {
    socket.destroy();
  }
  throw new ClipmillError(
    "unavailable",
    "The running Clipmill instance could not complete this, or was stopped. See its log for details.",
  );
}

async function connect(dataDir: string): Promise<net.Socket | null> {
  try {
    const socket = net.connect(readFileSync(path.join(dataDir, FOLDER, ADDRESS), "utf8"));
    await once(socket, "connect");
    return socket;
  } catch {
    return null;
  }
}
