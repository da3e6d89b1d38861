import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { SAVE_TIME } from "../run-command.ts";
import { environmentOnServers } from "./shared-servers.ts";

const LAUNCHER = path.resolve(import.meta.dirname, "../../../bin/clipmill.js");
const READY = /^(?:Clipmill|The server|The worker|The redirector) is ready(?:[^:]*: (http\S+))?/;

export const EMAIL = "operator@clipmill.local";
export const PASSWORD = "correct horse battery";

/** Killed on exit; a failed test would otherwise leave them running. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

export type ProgramKind = "start" | "server" | "worker" | "redirector";

/**
 * `prefix` precedes the command line and must exec the program (`ip netns exec`); `nodeFlags` replace `SAVE_TIME`;
 * `words` are the program's options; `script` replaces the launcher.
 */
export type CommandLine = {
  prefix?: readonly string[];
  nodeFlags?: readonly string[];
  words?: readonly string[];
  script?: string;
};

export type ClipmillProcess = {
  /** "" for a worker without METRICS_PORT, which does not listen. */
  url: string;
  pid: number;
  output(): { stdout: string; stderr: string };
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>;
  /** Sends SIGTERM and waits for the exit code. */
  stop(): Promise<number | null>;
  ended(): Promise<number | null>;
};

/**
 * Starts a program on free ports and waits until it is ready. Rejects with its stderr if it exits before. Server and
 * worker need DATABASE_URL, and the same APP_SECRET if their data directories differ.
 */
export async function startProgram(
  kind: ProgramKind,
  dataDir: string,
  environment: Record<string, string> = {},
  line: CommandLine = {},
): Promise<ClipmillProcess> {
  const child = await launch(kind, dataDir, environment, line);
  const written = collect(child);
  const ready = Promise.withResolvers<string>();
  createInterface({ input: child.stdout! }).on("line", (line) => {
    const match = READY.exec(line);
    if (match) ready.resolve(match[1] ?? "");
  });
  child.once("exit", (code) => ready.reject(new Error(`clipmill ${kind} ended with ${code}: ${written().stderr}`)));
  const url = await ready.promise;
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const ended = async (): Promise<number | null> => {
    if (!hasExited()) await once(child, "exit");
    return child.exitCode;
  };
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    if (!hasExited()) child.kill(signal);
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

/** Kills the program when `moment` resolves, ready or not. Resolves after its exit. */
export async function killProgramAt(
  moment: () => Promise<void>,
  kind: ProgramKind,
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<void> {
  const child = await launch(kind, dataDir, environment);
  const closed = once(child, "close");
  try {
    await Promise.race([closed, moment()]);
  } finally {
    child.kill("SIGKILL");
    await closed;
  }
}

export function startClipmillProcess(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<ClipmillProcess> {
  return startProgram("start", dataDir, environment);
}

/** For a program that should not start. */
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
  { prefix = [], nodeFlags = SAVE_TIME, words = [], script = LAUNCHER }: CommandLine = {},
): Promise<ChildProcess> {
  const servers = kind === "redirector" ? {} : await environmentOnServers(dataDir);
  const [file, ...args] = [...prefix, process.execPath, ...nodeFlags, script, kind, ...words];
  const child = spawn(file!, args, {
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
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

function collect(child: ChildProcess): () => { stdout: string; stderr: string } {
  const written = { stdout: "", stderr: "" };
  child.stdout!.on("data", (part: Buffer) => (written.stdout += part.toString()));
  child.stderr!.on("data", (part: Buffer) => (written.stderr += part.toString()));
  return () => written;
}
