import { spawn } from "node:child_process";
import os from "node:os";
import { finished, PassThrough, type Readable } from "node:stream";
import type { Encoder } from "#contract/settings/system.ts";
import { allLimits, mediaEnvironment } from "./isolation.ts";

const KILL_AFTER_MILLISECONDS = 500;

type Launch = Pick<Program, "outputs" | "isInBackground"> & {
  args: readonly string[];
  /** A hardware encoder needs its driver's variables. */
  encoder?: Encoder | undefined;
  /** Aborts with SIGTERM, and SIGKILL half a second later. */
  signal?: AbortSignal | undefined;
};

/** Applies limits and environment. `ended` never rejects; the caller must read or destroy every output. */
export function launch(program: string, { args, encoder, signal, ...rest }: Launch): StartedProgram {
  const [file, ...others] = [...allLimits(), program, ...args];
  const started = startProgram({ ...rest, file: file!, args: others, env: mediaEnvironment(encoder) });
  if (signal) void killOnAbort(started, signal);
  return started;
}

async function killOnAbort({ kill, ended }: StartedProgram, signal: AbortSignal): Promise<void> {
  let killTimer: NodeJS.Timeout | undefined;
  const stop = () => {
    kill("SIGTERM");
    killTimer = setTimeout(() => kill("SIGKILL"), KILL_AFTER_MILLISECONDS);
  };
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  await ended;
  signal.removeEventListener("abort", stop);
  clearTimeout(killTimer);
}

/** Standard input is empty. */
type Program = {
  file: string;
  args: readonly string[];
  /** The complete environment. */
  env: Readonly<Record<string, string>>;
  /** 1 is stdout, 2 is stderr; 3, 4 and so on are further pipes, for ffmpeg. Others are discarded. */
  outputs: readonly number[];
  /** Runs at below-normal priority. */
  isInBackground?: boolean;
};

type ProgramEnd = {
  /** Null after a signal, or if the program never started. */
  exitCode: number | null;
  signal: string | null;
  startErrorCode: string | null;
};

type StartedProgram = {
  outputs: Readonly<Record<number, Readable>>;
  /** Resolves after the program has exited and its outputs were read or destroyed. Never rejects. */
  ended: Promise<ProgramEnd>;
  kill: (signal: NodeJS.Signals) => void;
};

/** Kills the program when this process exits. Never throws. */
export function startProgram({ file, args, env, outputs: numbers, isInBackground }: Program): StartedProgram {
  const length = Math.max(2, ...numbers) + 1;
  const stdio = Array.from({ length }, (_, number) => (numbers.includes(number) ? ("pipe" as const) : "ignore"));
  try {
    const child = spawn(file, [...args], { env: { ...env }, stdio });
    const killAtExit = () => void child.kill("SIGKILL");
    process.once("exit", killAtExit);
    const end = new Promise<ProgramEnd>((resolve) => {
      child.on("error", (error) => {
        // Failed signals arrive here, too.
        if (child.pid === undefined) resolve(startFailure(error));
      });
      child.once("exit", (exitCode, signal) => resolve({ exitCode, signal, startErrorCode: null }));
    }).finally(() => process.off("exit", killAtExit));
    if (isInBackground) lowerPriority(child.pid);
    const outputs = Object.fromEntries(numbers.map((number) => [number, child.stdio[number] as Readable]));
    return { outputs, ended: whenEnded(end, outputs), kill: (signal) => void child.kill(signal) };
  } catch (error) {
    const outputs = Object.fromEntries(numbers.map((number) => [number, new PassThrough().end()]));
    return { outputs, ended: whenEnded(Promise.resolve(startFailure(error)), outputs), kill: () => {} };
  }
}

function startFailure(error: unknown): ProgramEnd {
  const code = error instanceof Error && "code" in error ? String(error.code) : "UNKNOWN";
  return { exitCode: null, signal: null, startErrorCode: code };
}

/** Waits until all outputs have ended, too. */
async function whenEnded(end: Promise<ProgramEnd>, outputs: Readonly<Record<number, Readable>>): Promise<ProgramEnd> {
  const closed = Object.values(outputs).map((output) => new Promise((resolve) => finished(output, resolve)));
  await Promise.all(closed);
  return end;
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) os.setPriority(pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Exited or not permitted: the priority stays normal.
  }
}
