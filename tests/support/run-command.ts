/** Commands of `clipmill` that do one thing and end, each as a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const LAUNCHER = path.resolve(import.meta.dirname, "../../bin/clipmill.js");

export type CommandResult = { code: number | null; stdout: string; stderr: string };

/** Starts a command on a data directory; `ended` resolves with what it said. */
export function startCommand(
  words: string[],
  environment: Record<string, string>,
): { child: ChildProcess; ended: Promise<CommandResult> } {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...environment };
  const child = spawn(process.execPath, [LAUNCHER, ...words], { env, stdio: ["ignore", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (part: Buffer) => (said.stdout += part.toString()));
  child.stderr.on("data", (part: Buffer) => (said.stderr += part.toString()));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...said }));
  return { child, ended };
}

/** Runs a command to its end. */
export function runCommand(words: string[], environment: Record<string, string>): Promise<CommandResult> {
  return startCommand(words, environment).ended;
}
