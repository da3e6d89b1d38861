/** Watches the encoders of a Clipmill process from outside. Linux only: reads /proc. */
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { cpuSecondsOf } from "./cpu.ts";

const TICKS_PER_SECOND = 100;
const SAMPLE_MS = 20;
const ENCODER = /libx264/;

/** From the first sample with a running encoder to the last one. */
export type Busy = {
  seconds: number;
  /** Share of the time in which an encoder runs, 0 to 1. */
  encoderShare: number;
  /** CPU time of the process and its children, as a share of all cores' time. */
  ofAll: number;
  /**
   * Estimates the same for a machine without other programs: the CPU time divided by that and the time without an
   * encoder. Exact if encoders use all cores.
   */
  ofIdleMachine: number;
  /** CPU time of other programs, as a share of all cores' time. */
  ofOthers: number;
};

type Sample = { ms: number; isEncoding: boolean; cpuSeconds: number; machineSeconds: number };

/** Samples until `stop`, which returns the result. */
export function watchEncoders(pid: number): { stop(): Busy } {
  const samples: Sample[] = [];
  const timer = setInterval(() => {
    const ms = performance.now();
    samples.push({
      ms,
      isEncoding: countEncoders(pid) > 0,
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

/** Returns the number of encoders among the processes below `pid`. */
export function countEncoders(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => sum + (isEncoder(child) ? 1 : countEncoders(child)), 0);
}

function summarize(samples: Sample[]): Busy {
  const [first, last] = [samples[0]!, samples.at(-1)!];
  const seconds = (last.ms - first.ms) / 1_000;
  let encoding = 0;
  for (const [i, sample] of samples.entries()) {
    const next = samples[i + 1];
    if (next && sample.isEncoding) encoding += (next.ms - sample.ms) / 1_000;
  }
  const cpuSeconds = last.cpuSeconds - first.cpuSeconds;
  const others = last.machineSeconds - first.machineSeconds - cpuSeconds;
  const all = seconds * availableParallelism();
  const idle = (seconds - encoding) * availableParallelism();
  return {
    seconds,
    encoderShare: encoding / seconds,
    ofAll: cpuSeconds / all,
    ofIdleMachine: cpuSeconds / (cpuSeconds + idle),
    ofOthers: others / all,
  };
}

/** Returns the CPU seconds of all cores and programs since the machine's start. */
function readBusySeconds(): number {
  const fields = readFileSync("/proc/stat", "utf8").split("\n", 1)[0]!.split(/\s+/).slice(1, 9).map(Number);
  // user, nice, system, idle, waiting, interrupts, soft interrupts, stolen (proc_stat(5))
  const busy = fields.filter((_, place) => place !== 3 && place !== 4);
  return busy.reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND;
}

function isEncoder(pid: number): boolean {
  return ENCODER.test(commandLineOf(pid));
}

/** Returns the words of a process's command line, separated by zeros; "" if it has ended. */
export function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** Returns the ids of a process's children; none if it has ended. */
export function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}
