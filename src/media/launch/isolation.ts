/** Limits of media programs: they cannot outlive this process, exhaust memory or reach the network. */
import { execFileSync } from "node:child_process";
import type { MissingLimit } from "#contract/settings/system.ts";
import { mediaEnvironment } from "./environment.ts";

/**
 * The kernel sends the signal only if the parent dies after the request. The shell therefore checks for an earlier
 * death: the process then has another parent, and the program does not start.
 */
const TIED_TO_PARENT = [
  ...["setpriv", "--pdeathsig", "KILL", "--"],
  ...["sh", "-c", '[ "$PPID" = "$0" ] && unset PWD OLDPWD SHLVL && exec "$@"', String(process.pid)],
];
/**
 * Twice what encoding 8K uses. Limits data, not address space: threads reserve far more addresses than they use, and an
 * ffmpeg with many would fail for no reason.
 */
const MAX_DATA_BYTES = 6 * 2 ** 30;
const LIMITED = ["prlimit", `--data=${MAX_DATA_BYTES}`];
/** Non-root users need a user namespace for it. */
const WITHOUT_NETWORK = ["unshare", "--net", ...(process.getuid?.() === 0 ? [] : ["--map-root-user"]), "--"];

type Inherited = { words: readonly string[]; missing: readonly MissingLimit[] };
let inherited: Inherited | undefined;
let tie: readonly string[] | undefined;

/**
 * Returns words that start a command line on Linux: `prlimit`, because a hostile file can make a decoder allocate any
 * amount of memory, and `unshare`, because a compromised decoder should have no network. Child processes inherit both.
 */
export function inheritedLimits(): readonly string[] {
  return findInherited().words;
}

/** Returns the limits that this system cannot set. */
export function missingLimits(): readonly MissingLimit[] {
  return findInherited().missing;
}

/**
 * Returns words that start a command line on Linux, so that the kernel kills the command when this process dies: after
 * SIGKILL a process cleans nothing up, and its orphaned ffmpeg would keep encoding.
 */
export function tieToThisProcess(): readonly string[] {
  // BusyBox's setpriv, and that of util-linux before 2.33, lacks the option
  return (tie ??= works(TIED_TO_PARENT) ? TIED_TO_PARENT : []);
}

function findInherited(): Inherited {
  if (inherited) return inherited;
  // BusyBox has no prlimit
  const [hasMemoryLimit, hasNoNetwork] = [LIMITED, WITHOUT_NETWORK].map(works);
  const missing: MissingLimit[] = [
    ...(hasMemoryLimit ? [] : ["memory" as const]),
    ...(hasNoNetwork ? [] : ["network" as const]),
  ];
  const words = [...(hasMemoryLimit ? LIMITED : []), ...(hasNoNetwork ? WITHOUT_NETWORK : [])];
  return (inherited = { words, missing });
}

function works([file, ...args]: string[]): boolean {
  if (process.platform !== "linux") return false;
  try {
    execFileSync(file!, [...args, "true"], { stdio: "ignore", timeout: 5_000, env: mediaEnvironment() });
    return true;
  } catch {
    return false;
  }
}
