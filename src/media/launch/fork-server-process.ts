/**
 * See `fork-server.ts`. Requests and replies use the IPC channel; each output of a program is a connection to the
 * socket in the first argument.
 */
import { spawn } from "node:child_process";
import { openSync, rmdirSync, unlinkSync } from "node:fs";
import { connect, type Socket } from "node:net";
import path from "node:path";
import { OUTPUT_LABEL_BYTES, type Reply, type Request } from "./fork-server-messages.ts";
import { lowerPriority, type Program, startFailure, stdioOf, watchEnd } from "./start-program.ts";

/** Opens the path without opening the file, which works for sockets (Linux: open(2)). */
const O_PATH = 0o10000000;

const socketPath = openAndRemove(process.argv[2]!);
const killers = new Map<number, (signal: NodeJS.Signals) => void>();

process.on("message", (request: Request) => {
  if (request.kind === "kill") {
    killers.get(request.id)?.(request.signal);
    return;
  }
  start(request.id, request.program).catch((error: unknown) => {
    killers.delete(request.id);
    reply({ kind: "ended", id: request.id, end: startFailure(error) });
  });
});
process.on("disconnect", () => {
  for (const kill of killers.values()) kill("SIGKILL");
  process.exit();
});
// Ctrl+C reaches all processes of a terminal; this one exits with its parent.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});

async function start(id: number, program: Program): Promise<void> {
  let early: NodeJS.Signals | undefined;
  killers.set(id, (signal) => (early = signal));
  const sockets = new Map<number, Socket>();
  try {
    for (const number of program.outputs) sockets.set(number, await connectOutput(id, number));
    // libuv makes outputs above 2 nonblocking: ffmpeg then waits and writes again.
    const stdio = stdioOf(program.outputs, (number) => sockets.get(number)!);
    const child = spawn(program.file, [...program.args], { env: { ...program.env }, stdio });
    killers.set(id, (signal) => child.kill(signal));
    watchEnd(child, (end) => {
      killers.delete(id);
      reply({ kind: "ended", id, end });
    });
    if (child.pid === undefined) return;
    reply({ kind: "started", id, pid: child.pid });
    if (program.isInBackground) lowerPriority(child.pid);
    if (early) child.kill(early);
  } finally {
    // Only the program holds them now, so they close when it exits.
    for (const socket of sockets.values()) socket.destroy();
  }
}

function reply(message: Reply): void {
  process.send!(message, () => {});
}

/** Removes the folder, so that no kill leaves it behind. The returned path still leads to the socket. */
function openAndRemove(named: string): string {
  const descriptor = openSync(named, O_PATH);
  unlinkSync(named);
  rmdirSync(path.dirname(named));
  return `/proc/self/fd/${descriptor}`;
}

/** Resolves once accepted. Rejects for lack of descriptors. */
async function connectOutput(id: number, number: number): Promise<Socket> {
  const socket = connect(socketPath);
  const label = Buffer.alloc(OUTPUT_LABEL_BYTES);
  label.writeUInt32LE(id, 0);
  label.writeUInt32LE(number, 4);
  const accepted = Promise.withResolvers<void>();
  socket.once("data", () => accepted.resolve());
  socket.on("error", accepted.reject);
  socket.on("close", () => accepted.reject(new Error("The output was not accepted.")));
  socket.write(label);
  await accepted.promise;
  return socket;
}
