import type { Encoder } from "#contract/settings/encoders.ts";
import { mediaEnvironment } from "./environment.ts";
import { allLimits } from "./isolation.ts";
import { type Program, type StartedProgram, startProgram } from "./start-program.ts";

const KILL_AFTER_MILLISECONDS = 500;

export type Launch = Pick<Program, "outputs" | "isInBackground"> & {
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
