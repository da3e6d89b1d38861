/** If threads exchange small packets, waking other cores costs more than it saves. */
import { readFileSync } from "node:fs";

const running = new Map<number, number>();

/** Without taskset, or if the core is offline, the program runs on any core. */
const PINNED = 'taskset -p "$0" $$ >/dev/null 2>&1; unset PWD OLDPWD SHLVL; exec "$@"';

/**
 * On Linux, pins to the core with the fewest programs pinned by this process. Call `release` when the program ends.
 * Never throws.
 */
export function pinToCore(): { prefix: readonly string[]; release: () => void } {
  const cores = usableCores();
  if (cores.length < 2) return { prefix: [], release: () => {} };
  const least = Math.min(...cores.map(useOf));
  const free = cores.filter((core) => useOf(core) === least);
  // Random, because other workers on this machine pin programs, too.
  const core = free[Math.floor(Math.random() * free.length)]!;
  running.set(core, useOf(core) + 1);
  const mask = (1n << BigInt(core)).toString(16);
  return { prefix: ["sh", "-c", PINNED, mask], release: () => void running.set(core, useOf(core) - 1) };
}

function useOf(core: number): number {
  return running.get(core) ?? 0;
}

function usableCores(): number[] {
  if (process.platform !== "linux") return [];
  try {
    const [, allowed = ""] = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    const online = new Set(parseCores(readFileSync("/sys/devices/system/cpu/online", "utf8").trim()));
    return parseCores(allowed).filter((core) => online.has(core));
  } catch {
    // Such as a container without /sys.
    return [];
  }
}

function parseCores(list: string): number[] {
  return list
    .split(",")
    .filter(Boolean)
    .flatMap((range) => {
      const [first = 0, last = first] = range.split("-").map(Number);
      return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    });
}
