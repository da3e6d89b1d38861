/**
 * A small process that starts programs for this one. Node starts a program by fork(), which copies the page tables of
 * the whole process: at 600 MB that is 40 ms of CPU time and stops the event loop for as long; in a process of 50 MB, 2.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import os from "node:os";
import path from "node:path";
import { PassThrough, pipeline } from "node:stream";
import { fileURLToPath } from "node:url";
import { mediaEnvironment } from "./environment.ts";
import { OUTPUT_LABEL_BYTES, type Reply, type Request } from "./fork-server-messages.ts";
import { type Program, type ProgramEnd, type StartedProgram, watchEnd, whenEnded } from "./start-program.ts";

const ENTRY = fileURLToPath(new URL("fork-server-process.ts", import.meta.url));
/** It gives its memory back when nothing is rendered. */
const IDLE_MILLISECONDS = 60_000;
export type ForkServer = {
  /** Starts a program. If the server is killed, its programs end as if by SIGKILL. */
  start(program: Program): StartedProgram;
};

type ServerProcess = ForkServer & { disconnect(): void };

/**
 * Returns a fork server whose process starts with the first program, under the command line `prefix`, whose limits the
 * programs inherit. The process ends after `idleMilliseconds` without programs, and with this process.
 */
export function createForkServer(prefix: readonly string[], idleMilliseconds = IDLE_MILLISECONDS): ForkServer {
  let current: ServerProcess | undefined;
  let idle: NodeJS.Timeout | undefined;

  function open(): ServerProcess {
    const opened = openProcess(prefix, {
      onIdle: () => {
        clearTimeout(idle);
        idle = setTimeout(() => leave(opened), idleMilliseconds).unref();
      },
      onExit: () => leave(opened),
    });
    return opened;
  }

  function leave(server: ServerProcess): void {
    if (current !== server) return;
    current = undefined;
    server.disconnect();
  }

  return {
    start(program) {
      clearTimeout(idle);
      return (current ??= open()).start(program);
    },
  };
}

function openProcess(
  prefix: readonly string[],
  { onIdle, onExit }: { onIdle: () => void; onExit: () => void },
): ServerProcess {
  const running = new Map<number, (ended: ProgramEnd) => void>();
  /** Outputs that are not connected yet, by the label's two numbers. */
  const awaited = new Map<string, PassThrough>();
  let lastId = 0;

  const folder = mkdtempSync(path.join(os.tmpdir(), "clipmill-fork-server-"));
  const socketPath = path.join(folder, "outputs");
  const listener = createServer({ pauseOnConnect: true }, receiveOutput).listen(socketPath).unref();
  const [file, ...args] = [...prefix, process.execPath, ENTRY, socketPath];
  const child = spawn(file!, args, { env: mediaEnvironment(), stdio: ["ignore", "ignore", "inherit", "ipc"] });
  child.unref();
  child.on("message", ({ id, end }: Reply) => endProgram(id, end));
  watchEnd(child, ({ startErrorCode }) => {
    onExit();
    listener.close();
    rmSync(folder, { recursive: true, force: true });
    // Its end kills its programs.
    const ended: ProgramEnd = { exitCode: null, signal: startErrorCode === null ? "SIGKILL" : null, startErrorCode };
    for (const id of running.keys()) endProgram(id, ended);
  });

  function endProgram(id: number, ended: ProgramEnd): void {
    if (ended.startErrorCode !== null || !child.connected) endAwaited(id);
    running.get(id)?.(ended);
    running.delete(id);
    if (running.size > 0) return;
    child.channel?.unref();
    onIdle();
  }

  function endAwaited(id: number): void {
    for (const [key, output] of awaited) {
      if (!key.startsWith(`${id} `)) continue;
      output.end();
      awaited.delete(key);
    }
  }

  function receiveOutput(socket: Socket): void {
    socket.once("readable", () => {
      const label = socket.read(OUTPUT_LABEL_BYTES) as Buffer | null;
      const key = label === null ? "" : `${label.readUInt32LE(0)} ${label.readUInt32LE(4)}`;
      const output = awaited.get(key);
      awaited.delete(key);
      if (output) pipeline(socket, output, () => {});
      else socket.destroy();
    });
  }

  function send(request: Request): void {
    // Without its process, the server's end ends the programs.
    if (child.connected) child.send(request, () => {});
  }

  return {
    start(program) {
      const id = ++lastId;
      const outputs: Record<number, PassThrough> = {};
      for (const number of program.outputs) awaited.set(`${id} ${number}`, (outputs[number] = new PassThrough()));
      const { promise, resolve } = Promise.withResolvers<ProgramEnd>();
      running.set(id, resolve);
      child.channel?.ref();
      send({ kind: "start", id, program });
      return { outputs, ended: whenEnded(promise, outputs), kill: (signal) => send({ kind: "kill", id, signal }) };
    },
    disconnect: () => child.connected && child.disconnect(),
  };
}
