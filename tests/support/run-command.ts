/** Runs one-shot `clipmill` commands as child processes. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const LAUNCHER = path.resolve(import.meta.dirname, "../../bin/clipmill.js");

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
  const child = spawn(process.execPath, [LAUNCHER, ...words], {
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
