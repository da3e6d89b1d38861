import { performance } from "node:perf_hooks";
import { vi } from "vitest";
import { type CommandResult, startCommand } from "../run-command.ts";

type Work = {
  words: string[];
  environment: Record<string, string>;
  hasStarted: () => boolean;
  kill?: () => Promise<void>;
};

const POLL_START = { timeout: 60_000, interval: 2 };

/** In milliseconds. Throws the command's stderr if it fails. */
export async function timeWork({ words, environment, hasStarted }: Omit<Work, "kill">): Promise<number> {
  const { ended } = startCommand(words, environment);
  await vi.waitUntil(hasStarted, POLL_START);
  const startedMs = performance.now();
  const result = await ended;
  if (result.code !== 0) throw new Error(result.stderr);
  return performance.now() - startedMs;
}

/** Kills the command `afterMs` after its work starts, unless it has ended. */
export async function killWhileRunning(
  { words, environment, hasStarted, kill }: Work,
  afterMs: number,
): Promise<CommandResult> {
  const { child, ended } = startCommand(words, environment);
  await vi.waitUntil(hasStarted, POLL_START);
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, afterMs))]);
  await (kill ? kill() : child.kill("SIGKILL"));
  return await ended;
}
