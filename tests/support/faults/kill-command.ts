/** Kills what does one thing and ends, at a random moment of its work. */
import { performance } from "node:perf_hooks";
import { vi } from "vitest";
import { type CommandResult, startCommand } from "../run-command.ts";

type Work = {
  words: string[];
  environment: Record<string, string>;
  /** True once its work has begun: what it does before changes nothing. */
  hasStarted: () => boolean;
  /** Whom the kill hits instead of the command itself. */
  kill?: () => Promise<void>;
};

const FIND_BEGIN = { timeout: 60_000, interval: 2 };

/** Lets it come to its end. Answers how long its work takes that nobody disturbs. Throws what it complains of. */
export async function timeWork({ words, environment, hasStarted }: Omit<Work, "kill">): Promise<number> {
  const { ended } = startCommand(words, environment);
  await vi.waitUntil(hasStarted, FIND_BEGIN);
  const beganMs = performance.now();
  const said = await ended;
  if (said.code !== 0) throw new Error(said.stderr);
  return performance.now() - beganMs;
}

/** Kills it so long after it has begun, unless it has ended before. Answers what it said. */
export async function killInWork(
  { words, environment, hasStarted, kill }: Work,
  afterMs: number,
): Promise<CommandResult> {
  const { child, ended } = startCommand(words, environment);
  await vi.waitUntil(hasStarted, FIND_BEGIN);
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, afterMs))]);
  await (kill ? kill() : child.kill("SIGKILL"));
  return await ended;
}
