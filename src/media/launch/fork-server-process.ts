/**
 * The fork server: starts programs for the process that started this one, see `fork-server.ts`. Requests and ends
 * travel over the IPC channel; each output of a program is a connection to the socket named by the first argument.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import path from "node:path";
import { OUTPUT_LABEL_BYTES, type Reply, type Request } from "./fork-server-messages.ts";
import { tieToThisProcess } from "./isolation.ts";
import { lowerPriority, type Program, type ProgramEnd, stdioOf, watchEnd } from "./start-program.ts";

/** Opens a file as a place only, which a socket allows (Linux: open(2)). */
const O_PATH = 0o10000000;

const socketPath = openAndRemove(process.argv[2]!);
const killers = new Map<number, (signal: NodeJS.Signals) => void>();

process.on("message", (request: Request) => {
  if (request.kind === "kill") killers.get(request.id)?.(request.signal);
  else start(request.id, request.program).catch((error: NodeJS.ErrnoException) => end(request.id, failedStart(error)));
});
process.on("disconnect", () => {
  for (const kill of killers.values()) kill("SIGKILL");
  process.exit();
});

async function start(id: number, program: Program): Promise<void> {
  let early: NodeJS.Signals | undefined;
  killers.set(id, (signal) => (early = signal));
  const sockets = new Map<number, Socket>();
  try {
    for (const number of program.outputs) sockets.set(number, await connectOutput(id, number));
    const [file, ...args] = [...tieToThisProcess(), program.file, ...program.args];
    // libuv lets outputs above 2 be nonblocking: ffmpeg then waits and writes again.
    const stdio = stdioOf(program.outputs, (number) => sockets.get(number)!);
    const child = spawn(file!, args, { env: { ...program.env }, stdio });
    killers.set(id, (signal) => child.kill(signal));
    watchEnd(child, (ended) => end(id, ended));
    if (program.isInBackground) lowerPriority(child.pid);
    if (early) child.kill(early);
  } finally {
    // Only the program holds them now, so they end with it.
    for (const socket of sockets.values()) socket.destroy();
  }
}

function end(id: number, ended: ProgramEnd): void {
  killers.delete(id);
  const reply: Reply = { id, end: ended };
  process.send!(reply);
}

function failedStart(error: NodeJS.ErrnoException): ProgramEnd {
  return { exitCode: null, signal: null, startErrorCode: error.code ?? "UNKNOWN" };
}

/** Removes the socket's folder, so that no kill leaves it behind, and returns a path that still leads to the socket. */
function openAndRemove(named: string): string {
  const descriptor = openSync(named, O_PATH);
  rmSync(path.dirname(named), { recursive: true });
  return `/proc/self/fd/${descriptor}`;
}

async function connectOutput(id: number, number: number): Promise<Socket> {
  const socket = connect(socketPath);
  await once(socket, "connect");
  const label = Buffer.alloc(OUTPUT_LABEL_BYTES);
  label.writeUInt32LE(id, 0);
  label.writeUInt32LE(number, 4);
  await new Promise<void>((resolve, reject) => socket.write(label, (error) => (error ? reject(error) : resolve())));
  return socket;
}
