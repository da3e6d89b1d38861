/**
 * Starts programs for this process. Node's fork() copies the page tables of the complete process: at 600 MB this takes
 * 40 ms of CPU time and blocks the event loop for as long; at 50 MB, 2 ms.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import os from "node:os";
import path from "node:path";
import { PassThrough, pipeline } from "node:stream";
import { fileURLToPath } from "node:url";
import { nodeEnvironment } from "./environment.ts";
import { ACCEPTED, OUTPUT_LABEL_BYTES, type Reply, type Request } from "./fork-server-messages.ts";
import {
  type Program,
  type ProgramEnd,
  type StartedProgram,
  startFailure,
  watchEnd,
  whenEnded,
} from "./start-program.ts";

const ENTRY = fileURLToPath(new URL("fork-server-process.ts", import.meta.url));
/** An idle server exits to free memory; the next start takes about 40 ms of CPU time. */
const IDLE_MILLISECONDS = 60_000;
/** Linux limits a socket path to 108 bytes, including the final zero (unix(7)). */
const MAX_SOCKET_PATH_BYTES = 107;

export type ForkServer = {
  /** Never throws. If the server is killed, its programs end as if by SIGKILL. */
  start(program: Program): StartedProgram;
};

type ServerProcess = ForkServer & { disconnect(): void };

type Running = {
  program: Program;
  end(ended: ProgramEnd): void;
  outputs: Readonly<Record<number, PassThrough>>;
  pid: number | null;
  early: NodeJS.Signals | null;
  alone: StartedProgram | null;
};

export type ForkServerOptions = {
  /** Prefix of the server's command line; its programs inherit these limits. */
  serverLimits: readonly string[];
  /** Prefix of a program's command line, given the server's pid. */
  programLimits: (serverPid: number) => readonly string[];
  startAlone: (program: Program) => StartedProgram;
  idleMilliseconds?: number;
};

/**
 * The process starts with the first program and exits after `idleMilliseconds` without programs. If it cannot start,
 * programs start without it from then on.
 */
export function createForkServer(options: ForkServerOptions): ForkServer {
  const { startAlone, idleMilliseconds = IDLE_MILLISECONDS } = options;
  let current: ServerProcess | undefined;
  let isUsable = true;
  let idle: NodeJS.Timeout | undefined;

  function open(): ServerProcess {
    const opened = openProcess(options, {
      onUnusable: () => (isUsable = false),
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
      try {
        if (isUsable) current ??= open();
      } catch {
        // No temporary folder, or a path too long for a socket.
        isUsable = false;
      }
      if (!current) return startAlone(program);
      return current.start(program);
    },
  };
}

/** Throws the system's error if the socket or the process cannot be created. */
function openProcess(
  { serverLimits, programLimits, startAlone }: ForkServerOptions,
  { onIdle, onExit, onUnusable }: { onIdle: () => void; onExit: () => void; onUnusable: () => void },
): ServerProcess {
  const running = new Map<number, Running>();
  let hasStarted = false;
  let lastId = 0;

  const folder = mkdtempSync(path.join(os.tmpdir(), "clipmill-fork-server-"));
  const socketPath = path.join(folder, "outputs");
  // Only left behind if this process is killed before the server has removed it.
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  if (Buffer.byteLength(socketPath) > MAX_SOCKET_PATH_BYTES) {
    removeFolder();
    throw new Error("The path of the temporary folder is too long for a socket.");
  }
  const listener = createServer({ pauseOnConnect: true }, receiveOutput).listen(socketPath).unref();
  const [file, ...args] = [...serverLimits, process.execPath, ENTRY, socketPath];
  const child = spawn(file, args, { env: nodeEnvironment(), stdio: ["ignore", "ignore", "inherit", "ipc"] });
  child.unref();
  process.once("exit", removeFolder);
  listener.on("error", (error) => endAll(startFailure(error)));
  child.on("message", (reply: Reply) => {
    hasStarted = true;
    const program = running.get(reply.id);
    if (!program) return;
    if (reply.kind === "started") program.pid = reply.pid;
    else endProgram(reply.id, reply.end);
  });
  watchEnd(child, ({ signal, startErrorCode }) => {
    onExit();
    listener.close();
    if (!hasStarted) {
      onUnusable();
      for (const [id, program] of running) startDirectly(id, program);
    }
    // The kernel kills the programs with the server, but not on every system.
    for (const { pid } of running.values()) kill(pid, "SIGKILL");
    if (hasStarted)
      endAll({ exitCode: null, signal, startErrorCode: startErrorCode ?? (signal === null ? "EXITED" : null) });
    process.off("exit", removeFolder);
    try {
      removeFolder();
    } catch {
      // No descriptors left; the folder is empty.
    }
  });

  /** For a program that the server could not start, unless killed in the meantime. */
  function startDirectly(id: number, started: Running): void {
    if (started.early) {
      endProgram(id, { exitCode: null, signal: started.early, startErrorCode: null });
      for (const output of Object.values(started.outputs)) output.end();
      return;
    }
    started.alone = startAlone(started.program);
    for (const [number, output] of Object.entries(started.alone.outputs)) {
      pipeline(output, started.outputs[Number(number)]!, () => {});
    }
    void started.alone.ended.then((end) => endProgram(id, end));
  }

  function endAll(ended: ProgramEnd): void {
    for (const [id, { outputs }] of running) {
      endProgram(id, ended);
      for (const output of Object.values(outputs)) output.end();
    }
  }

  function endProgram(id: number, ended: ProgramEnd): void {
    const program = running.get(id)!;
    running.delete(id);
    if (ended.startErrorCode !== null) for (const output of Object.values(program.outputs)) output.end();
    program.end(ended);
    if (running.size > 0) return;
    child.unref();
    child.channel?.unref();
    onIdle();
  }

  /** Connects an output; its program only starts afterwards. */
  function receiveOutput(socket: Socket): void {
    socket.on("error", () => {});
    socket.once("readable", () => {
      const label = socket.read(OUTPUT_LABEL_BYTES) as Buffer | null;
      const output = label && running.get(label.readUInt32LE(0))?.outputs[label.readUInt32LE(4)];
      if (!output || output.destroyed || output.writableEnded) {
        socket.destroy();
        return;
      }
      socket.write(ACCEPTED);
      pipeline(socket, output, () => {});
    });
  }

  function send(request: Request): void {
    // If the server has exited, its programs end anyway.
    if (child.connected) child.send(request, () => {});
  }

  return {
    start(program) {
      const id = ++lastId;
      const outputs = Object.fromEntries(program.outputs.map((number) => [number, new PassThrough()]));
      const { promise, resolve } = Promise.withResolvers<ProgramEnd>();
      running.set(id, { program, end: resolve, outputs, pid: null, early: null, alone: null });
      child.ref();
      child.channel?.ref();
      const [file, ...args] = [...programLimits(child.pid ?? 0), program.file, ...program.args];
      send({ kind: "start", id, program: { ...program, file: file!, args } });
      return {
        outputs,
        ended: whenEnded(promise, outputs),
        kill(signal) {
          const started = running.get(id);
          if (!started) return;
          started.early ??= signal;
          started.alone?.kill(signal);
          send({ kind: "kill", id, signal });
          // A stopped (SIGSTOP) server forwards no signals.
          if (signal === "SIGKILL") kill(started.pid, signal);
        },
      };
    },
    disconnect: () => child.connected && child.disconnect(),
  };
}

function kill(pid: number | null, signal: NodeJS.Signals): void {
  try {
    if (pid !== null) process.kill(pid, signal);
  } catch {
    // It has already exited.
  }
}
