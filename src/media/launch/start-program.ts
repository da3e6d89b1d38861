import { spawn } from "node:child_process";
import os from "node:os";
import { finished, type Readable } from "node:stream";

/** A program to start. Standard input is empty. */
export type Program = {
  file: string;
  args: readonly string[];
  /** The whole environment. */
  env: Readonly<Record<string, string>>;
  /** Descriptors to read: 1 is stdout, 2 is stderr; 3, 4 and so on are further pipes, for ffmpeg. Others are discarded. */
  outputs: readonly number[];
  /** Runs at below-normal priority. */
  isInBackground?: boolean;
};

export type ProgramEnd = {
  /** Null if a signal ended the program, or if it never started. */
  exitCode: number | null;
  signal: string | null;
  /** Why it never started, such as ENOENT. */
  startErrorCode: string | null;
};

export type StartedProgram = {
  outputs: Readonly<Record<number, Readable>>;
  /** Resolves after the program ended and its outputs were read or destroyed. Never rejects. */
  ended: Promise<ProgramEnd>;
  /** Does nothing after the end. */
  kill(signal: NodeJS.Signals): void;
};

/** Starts a program as a child of this process. */
export function startChild(program: Program): StartedProgram {
  const child = spawn(program.file, [...program.args], {
    env: { ...program.env },
    stdio: stdioOf(program.outputs, () => "pipe"),
  });
  if (program.isInBackground) lowerPriority(child.pid);
  const outputs = Object.fromEntries(program.outputs.map((number) => [number, child.stdio[number] as Readable]));
  return {
    outputs,
    ended: whenEnded(new Promise((resolve) => watchEnd(child, resolve)), outputs),
    kill: (signal) => void child.kill(signal),
  };
}

/** Returns spawn's `stdio` with `wire(number)` for each output. */
export function stdioOf<Wired>(outputs: readonly number[], wire: (number: number) => Wired): ("ignore" | Wired)[] {
  const length = Math.max(2, ...outputs) + 1;
  return Array.from({ length }, (_, number) => (outputs.includes(number) ? wire(number) : "ignore"));
}

/** Resolves with the program's end once all its outputs have ended, too. */
export async function whenEnded(
  end: Promise<ProgramEnd>,
  outputs: Readonly<Record<number, Readable>>,
): Promise<ProgramEnd> {
  const closed = Object.values(outputs).map((output) => new Promise((resolve) => finished(output, resolve)));
  await Promise.all(closed);
  return end;
}

/** Calls `report` once, when the child exits or cannot be started. */
export function watchEnd(child: ReturnType<typeof spawn>, report: (end: ProgramEnd) => void): void {
  child.once("error", (error: NodeJS.ErrnoException) => {
    if (child.pid !== undefined) return;
    report({ exitCode: null, signal: null, startErrorCode: error.code ?? "UNKNOWN" });
  });
  child.once("exit", (exitCode, signal) => report({ exitCode, signal, startErrorCode: null }));
}

export function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) os.setPriority(pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // it has exited or may not be changed; it keeps normal priority
  }
}
