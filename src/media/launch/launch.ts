import type { Encoder } from "#contract/settings/encoders.ts";
import { mediaEnvironment } from "./environment.ts";
import { createForkServer, type ForkServer } from "./fork-server.ts";
import { allLimits, programLimits, serverLimits } from "./isolation.ts";
import { pinToCore } from "./pin-to-core.ts";
import { type Program, type StartedProgram, startChild } from "./start-program.ts";

const KILL_AFTER_MILLISECONDS = 500;

export type Launch = Pick<Program, "outputs" | "isInBackground"> & {
  args: readonly string[];
  /** A hardware encoder needs its driver's variables. */
  encoder?: Encoder | undefined;
  isPinned?: boolean | undefined;
  /** Aborts with SIGTERM, and SIGKILL half a second later. */
  signal?: AbortSignal | undefined;
};

let forkServer: ForkServer | undefined;

/** Applies limits and environment. `ended` never rejects; the caller must read or destroy every output. */
export function launch(file: string, { args, encoder, isPinned, signal, ...rest }: Launch): StartedProgram {
  const core = isPinned ? pinToCore() : null;
  const [first, ...others] = [...(core?.prefix ?? []), file, ...args];
  const program: Program = { ...rest, file: first!, args: others, env: mediaEnvironment(encoder) };
  const started = process.platform === "linux" ? serverOfThisProcess().start(program) : startAlone(program);
  if (core) void started.ended.then(core.release);
  if (signal) void killOnAbort(started, signal);
  return started;
}

function serverOfThisProcess(): ForkServer {
  return (forkServer ??= createForkServer({ serverLimits: serverLimits(), programLimits, startAlone }));
}

function startAlone(program: Program): StartedProgram {
  const [file, ...args] = [...allLimits(), program.file, ...program.args];
  return startChild({ ...program, file: file!, args });
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
