/** Keeps a program on one core: one that passes small packets between its threads is cheaper without waking others. */
import { readFileSync } from "node:fs";

/** Programs running on each core, by the core's number. */
const running = new Map<number, number>();

/** The core may be gone, or taskset missing: the program then runs on any core. */
const ON_ONE_CORE = 'taskset -p "$0" $$ >/dev/null 2>&1; unset PWD OLDPWD SHLVL; exec "$@"';

/**
 * Returns words that start a program's command line on Linux, to keep it on the core on which the fewest programs of
 * this process run. The core counts as in use until `release` is called.
 */
export function takeCore(): { words: readonly string[]; release(): void } {
  const cores = allowedCores();
  if (cores.length < 2) return { words: [], release() {} };
  const least = Math.min(...cores.map(useOf));
  const free = cores.filter((core) => useOf(core) === least);
  // other workers on this machine choose, too
  const core = free[Math.floor(Math.random() * free.length)]!;
  running.set(core, useOf(core) + 1);
  const mask = (1n << BigInt(core)).toString(16);
  return { words: ["sh", "-c", ON_ONE_CORE, mask], release: () => void running.set(core, useOf(core) - 1) };
}

function useOf(core: number): number {
  return running.get(core) ?? 0;
}

/** Returns the cores that this process may use, as in "0-3,8"; none if unknown. */
function allowedCores(): number[] {
  if (process.platform !== "linux") return [];
  const [, list = ""] = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return list
    .split(",")
    .filter(Boolean)
    .flatMap((range) => {
      const [first = 0, last = first] = range.split("-").map(Number);
      return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    });
}
