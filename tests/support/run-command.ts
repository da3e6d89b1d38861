/** Runs one-shot `clipmill` commands as child processes. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const LAUNCHER = path.resolve(import.meta.dirname, "../../bin/clipmill.js");
/**
 * V8 flags for Clipmill in tests. A start marks the whole heap 14 times, because V8 does so for every 64 MB of new
 * buffers, and the embedded database allocates hundreds; and V8 optimizes functions of PostgreSQL that most tests call
 * only a few times. Without both, a start takes about half the CPU time.
 */
export const SAVE_TIME = [
  "--external-memory-accounted-in-global-limit",
  "--initial-old-space-size=256",
  "--liftoff-only",
];

export type CommandResult = { code: number | null; stdout: string; stderr: string };

/**
 * Starts a command whose environment is PATH, HOME and `environment` only. `ended` resolves for any exit code, which is
 * null if a signal ended the command. Standard input is `input`, or nothing.
 */
export function startCommand(
  words: string[],
  environment: Record<string, string>,
  input?: string,
): { child: ChildProcess; ended: Promise<CommandResult> } {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...environment };
  const child = spawn(process.execPath, [...SAVE_TIME, LAUNCHER, ...words], {
    env,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  child.stdin?.end(input);
  const output = { stdout: "", stderr: "" };
  child.stdout!.on("data", (part: Buffer) => (output.stdout += part.toString()));
  child.stderr!.on("data", (part: Buffer) => (output.stderr += part.toString()));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...output }));
  return { child, ended };
}

/** Runs a command to its end, with no timeout. A nonzero exit code does not reject. */
export function runCommand(words: string[], environment: Record<string, string>): Promise<CommandResult> {
  return startCommand(words, environment).ended;
}
