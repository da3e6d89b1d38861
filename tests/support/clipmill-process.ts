/** A whole Clipmill as its own process, as `npm start` runs it, on a data directory of the test. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";

const LAUNCHER = path.resolve(import.meta.dirname, "../../bin/clipmill.js");

export const EMAIL = "operator@clipmill.local";
export const PASSWORD = "correct horse battery";

export type ClipmillProcess = {
  url: string;
  pid: number;
  /** What it has written so far: stdout, then stderr. */
  output(): { stdout: string; stderr: string };
  /** Ends it as a power cut would, and waits until it is gone. */
  kill(): Promise<void>;
  /** Ends it as Ctrl-C would, and waits until it is gone. Returns its exit code. */
  stop(): Promise<number | null>;
};

/** Starts Clipmill on free ports and waits until it says that it is ready. Rejects with its words when it ends before. */
export async function startClipmillProcess(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<ClipmillProcess> {
  const child = launch(dataDir, environment);
  const written = collect(child);
  const ready = Promise.withResolvers<string>();
  createInterface({ input: child.stdout! }).on("line", (line) => {
    const url = /^Clipmill is ready: (\S+)$/.exec(line)?.[1];
    if (url) ready.resolve(url);
  });
  child.once("exit", (code) => ready.reject(new Error(`Clipmill ended with ${code}: ${written().stderr}`)));
  const url = await ready.promise;
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, "exit");
    }
    return child.exitCode;
  };
  return {
    url,
    pid: child.pid!,
    output: written,
    kill: async () => void (await end("SIGKILL")),
    stop: () => end("SIGTERM"),
  };
}

/** Starts Clipmill where it should refuse, and waits for its end. */
export async function runClipmillToItsEnd(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<{ code: number | null; stderr: string }> {
  const child = launch(dataDir, environment);
  const written = collect(child);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stderr: written().stderr };
}

function launch(dataDir: string, environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [LAUNCHER, "start"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: "0",
      REDIRECTOR_PORT: "0",
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: PASSWORD,
      LOG_LEVEL: "info",
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
