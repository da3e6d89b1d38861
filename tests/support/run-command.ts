import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const LAUNCHER = path.resolve(import.meta.dirname, "../../bin/clipmill.js");
/** V8 flags for processes that run many tests: fewer collections of garbage. */
export const SAVE_TIME_LONG = ["--initial-old-space-size=256", "--min-semi-space-size=16"];
/**
 * For programs, which most tests stop soon after starting: optimizing functions takes longer than it saves. No module
 * path contains a symbolic link.
 */
export const SAVE_TIME = [...SAVE_TIME_LONG, "--preserve-symlinks", "--no-opt", "--no-maglev"];

export type CommandResult = { code: number | null; stdout: string; stderr: string };

/**
 * Starts a command with only PATH, HOME and `environment`. `ended` resolves for any exit code; null if a signal ended
 * the command. Standard input is `input`, or empty.
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

/** Has no timeout. A nonzero exit code does not reject. */
export function runCommand(words: string[], environment: Record<string, string>): Promise<CommandResult> {
  return startCommand(words, environment).ended;
}
