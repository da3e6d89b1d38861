import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { execa } from "execa";

const TASKSET = "taskset";
const AUTOCANNON = fileURLToPath(import.meta.resolve("autocannon"));
const SERVER_CORE = "0";
const CLIENT_CORE = "1";
const TICKS_PER_SECOND = 100;

export type Load = {
  responses: number;
  seconds: number;
  /** Responses other than redirects, lost connections and timeouts. */
  failed: number;
  maxMs: number;
};

type Report = {
  requests: { total: number };
  duration: number;
  errors: number;
  timeouts: number;
  non2xx: number;
  "3xx": number;
  latency: { max: number };
};

/** Requests one path of shop.test over 32 keep-alive connections, from another core. */
export async function load(port: number, path: string, seconds: number): Promise<Load> {
  const url = `http://127.0.0.1:${port}${path}`;
  const options = ["-j", "-n", "-c", "32", "-d", String(seconds), "-H", "Host: shop.test", url];
  const { stdout } = await execa(TASKSET, ["-c", CLIENT_CORE, process.execPath, AUTOCANNON, ...options], {
    stderr: "ignore",
  });
  const report = JSON.parse(stdout) as Report;
  return {
    responses: report["3xx"],
    seconds: report.duration,
    failed: report.errors + report.timeouts + report.non2xx - report["3xx"],
    maxMs: report.latency.max,
  };
}

/** Faster than autocannon, which is slower than either server. */
const WRK = "wrk";
export const FASTEST_CLIENT = spawnSync(WRK, ["-v"]).error ? "autocannon" : WRK;

/** Uses the fastest installed client, which reports no latency. */
export async function saturate(port: number, path: string, seconds: number): Promise<Omit<Load, "maxMs">> {
  if (FASTEST_CLIENT !== WRK) return load(port, path, seconds);
  const options = ["-t1", "-c32", `-d${seconds}`, "-H", "Host: shop.test", `http://127.0.0.1:${port}${path}`];
  const { stdout } = await execa(TASKSET, ["-c", CLIENT_CORE, WRK, ...options]);
  const [, responses, took] = /(\d+) requests in ([\d.]+)s/.exec(stdout)!;
  const failed = /Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)/.exec(stdout);
  return { responses: Number(responses), seconds: Number(took), failed: failed ? 1 : 0 };
}

/** Includes all threads of the process. */
export function pinToServerCore(pid: number): void {
  execFileSync(TASKSET, ["-acp", SERVER_CORE, String(pid)], { stdio: "ignore" });
}

export function startPinned(program: string, args: string[]) {
  return execa(TASKSET, ["-c", SERVER_CORE, program, ...args], { stdio: "ignore", reject: false });
}

export function cpuSecondsOf(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

export function childrenOf(pid: number): number[] {
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return pids.filter((each) => {
    try {
      return statOf(each)[1] === String(pid);
    } catch {
      return false;
    }
  });
}

export function megabytesOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1024;
}

/** Returns the fields after the program's name, which may contain any character. */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}
