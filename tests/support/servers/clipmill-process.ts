/** Clipmill's programs as processes of their own, as an operator starts them, on a data directory of the test. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { environmentOnServers } from "./shared-servers.ts";

const LAUNCHER = path.resolve(import.meta.dirname, "../../../bin/clipmill.js");
/** What a program says once it is ready, with its address where it has one. */
const READY = /^(?:Clipmill|The server|The worker|The redirector) is ready(?:[^:]*: (http\S+))?/;

export const EMAIL = "operator@clipmill.local";
export const PASSWORD = "correct horse battery";

export type ProgramKind = "start" | "server" | "worker" | "redirector";

export type ClipmillProcess = {
  /** Where it answers; "" for a worker without METRICS_PORT, which answers nowhere. */
  url: string;
  pid: number;
  /** What it has written so far: stdout, then stderr. */
  output(): { stdout: string; stderr: string };
  /** Ends it as a power cut would, and waits until it is gone. */
  kill(): Promise<void>;
  /** Ends it as Ctrl-C would, and waits until it is gone. Returns its exit code. */
  stop(): Promise<number | null>;
  /** Waits until it ends by itself. Returns its exit code. */
  ended(): Promise<number | null>;
};

/**
 * Starts a program on free ports and waits until it says that it is ready. Rejects with its words when it ends before.
 * Server and worker need DATABASE_URL in `environment`, and the same APP_SECRET where their data directories differ.
 * `prefix` is put before its command line, for what becomes the program itself in the end (`ip netns exec`).
 */
export async function startProgram(
  kind: ProgramKind,
  dataDir: string,
  environment: Record<string, string> = {},
  prefix: readonly string[] = [],
): Promise<ClipmillProcess> {
  const child = await launch(kind, dataDir, environment, { prefix });
  const written = collect(child);
  const ready = Promise.withResolvers<string>();
  createInterface({ input: child.stdout! }).on("line", (line) => {
    const said = READY.exec(line);
    if (said) ready.resolve(said[1] ?? "");
  });
  child.once("exit", (code) => ready.reject(new Error(`clipmill ${kind} ended with ${code}: ${written().stderr}`)));
  const url = await ready.promise;
  const isGone = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const ended = async (): Promise<number | null> => {
    if (!isGone()) await once(child, "exit");
    return child.exitCode;
  };
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    if (!isGone()) child.kill(signal);
    return ended();
  };
  return {
    url,
    pid: child.pid!,
    output: written,
    kill: async () => void (await end("SIGKILL")),
    stop: () => end("SIGTERM"),
    ended,
  };
}

/** Starts a program and kills it at a moment, ready or not. Resolves when it is gone. */
export async function killProgramAt(
  moment: () => Promise<void>,
  kind: ProgramKind,
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<void> {
  const child = await launch(kind, dataDir, environment);
  const gone = once(child, "close");
  await Promise.race([gone, moment()]);
  child.kill("SIGKILL");
  await gone;
}

/** Starts all of Clipmill in one process, as `npm start` does. */
export function startClipmillProcess(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<ClipmillProcess> {
  return startProgram("start", dataDir, environment);
}

/** Starts a program where it should refuse, with further words of the command, and waits for its end. */
export async function runProgramToItsEnd(
  kind: ProgramKind,
  dataDir: string,
  environment: Record<string, string> = {},
  ...words: string[]
): Promise<{ code: number | null; stderr: string }> {
  const child = await launch(kind, dataDir, environment, { words });
  const written = collect(child);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stderr: written().stderr };
}

/** Starts all of Clipmill where it should refuse, and waits for its end. */
export function runClipmillToItsEnd(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<{ code: number | null; stderr: string }> {
  return runProgramToItsEnd("start", dataDir, environment);
}

async function launch(
  kind: ProgramKind,
  dataDir: string,
  environment: Record<string, string>,
  { prefix = [], words = [] }: { prefix?: readonly string[]; words?: readonly string[] } = {},
): Promise<ChildProcess> {
  const servers = kind === "redirector" ? {} : await environmentOnServers(dataDir);
  const [file, ...args] = [...prefix, process.execPath, LAUNCHER, kind, ...words];
  return spawn(file!, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: "0",
      REDIRECTOR_PORT: "0",
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: PASSWORD,
      LOG_LEVEL: "info",
      ...servers,
      ...environment,
    },
  });
}

function collect(child: ChildProcess): () => { stdout: string; stderr: string } {
  const written = { stdout: "", stderr: "" };
  child.stdout!.on("data", (part: Buffer) => (written.stdout += part.toString()));
  child.stderr!.on("data", (part: Buffer) => (written.stderr += part.toString()));
  return () => written;
}
