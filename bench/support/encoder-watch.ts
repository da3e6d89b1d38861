/** Linux only: reads /proc. */
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { cpuSecondsOf } from "./cpu.ts";

const TICKS_PER_SECOND = 100;
const SAMPLE_MS = 20;
const ENCODER = /libx264/;

/** From the first to the last sample with a running encoder. */
export type Busy = {
  seconds: number;
  /** From 0 to 1. */
  encoderShare: number;
  /** CPU time of the process and its children, as a share of all cores. */
  ofAll: number;
  /** Without an encoder or a runnable thread of the process and its children. */
  waitSeconds: number;
  /** Estimates `ofAll` without other programs: encoders use all cores, other work one, and waits last as long. */
  ofIdleMachine: number;
  /** CPU time of other programs, as a share of all cores. */
  ofOthers: number;
};

type Sample = { ms: number; isEncoding: boolean; cpuSeconds: number; readySeconds: number; machineSeconds: number };

export function watchEncoders(pid: number): { stop(): Busy } {
  const samples: Sample[] = [];
  const timer = setInterval(() => {
    const ms = performance.now();
    const isEncoding = countEncoders(pid) > 0;
    const readySeconds = isEncoding ? 0 : readySecondsOf(pid);
    samples.push({
      ms,
      isEncoding,
      readySeconds,
      cpuSeconds: cpuSecondsOf(pid).all,
      machineSeconds: readBusySeconds(),
    });
  }, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      const first = samples.findIndex((one) => one.isEncoding);
      const last = samples.findLastIndex((one) => one.isEncoding);
      return summarize(samples.slice(first, last + 1));
    },
  };
}

function countEncoders(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => sum + (isEncoder(child) ? 1 : countEncoders(child)), 0);
}

function summarize(samples: Sample[]): Busy {
  const [first, last] = [samples[0]!, samples.at(-1)!];
  const seconds = (last.ms - first.ms) / 1_000;
  let [encodingSeconds, waitSeconds, betweenCpuSeconds] = [0, 0, 0];
  for (const [i, sample] of samples.entries()) {
    const next = samples[i + 1];
    if (!next) break;
    const seconds = (next.ms - sample.ms) / 1_000;
    if (sample.isEncoding) encodingSeconds += seconds;
    else {
      const ready = next.isEncoding ? seconds : Math.max(0, next.readySeconds - sample.readySeconds);
      waitSeconds += Math.max(0, seconds - ready);
      betweenCpuSeconds += next.cpuSeconds - sample.cpuSeconds;
    }
  }
  const cores = availableParallelism();
  const cpuSeconds = last.cpuSeconds - first.cpuSeconds;
  const others = last.machineSeconds - first.machineSeconds - cpuSeconds;
  const aloneSeconds = (cpuSeconds - betweenCpuSeconds) / cores + betweenCpuSeconds + waitSeconds;
  return {
    seconds,
    encoderShare: encodingSeconds / seconds,
    ofAll: cpuSeconds / cores / seconds,
    waitSeconds,
    ofIdleMachine: cpuSeconds / cores / aloneSeconds,
    ofOthers: others / cores / seconds,
  };
}

/** Counts time in which threads ran or waited for a core (proc schedstat). */
function readySecondsOf(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).map((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ").slice(0, 2).map(Number),
    );
    const own = threads.flat().reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e9;
    return childrenOf(pid).reduce((sum, child) => sum + readySecondsOf(child), own);
  } catch {
    return 0;
  }
}

/** Of all cores and programs since the machine's start. */
function readBusySeconds(): number {
  const fields = readFileSync("/proc/stat", "utf8").split("\n", 1)[0]!.split(/\s+/).slice(1, 9).map(Number);
  // user, nice, system, idle, waiting, interrupts, soft interrupts, stolen (proc_stat(5))
  const busy = fields.filter((_, place) => place !== 3 && place !== 4);
  return busy.reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND;
}

function isEncoder(pid: number): boolean {
  return ENCODER.test(commandLineOf(pid));
}

/** Words separated by zeros; "" if the process has ended. */
function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** Empty if the process has ended. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}
