/**
 * Isolates media programs: they cannot outlive this process, exhaust memory, reach the network or read our environment.
 */
import { execFileSync } from "node:child_process";
import type { MissingLimit } from "#contract/settings/system.ts";
import type { Encoder } from "../plan/arguments/encoder-arguments.ts";

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

const VARIABLES = ["PATH", "LANG"];
/** Driver location and device selection. */
const DRIVER_VARIABLES = [
  ...["LIBVA_DRIVER_NAME", "LIBVA_DRIVERS_PATH", "LD_LIBRARY_PATH"],
  ...["NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"],
];
const PROXY_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"];
const DOWNLOADER_VARIABLES = [
  "HOME",
  "TMPDIR",
  ...PROXY_VARIABLES,
  ...PROXY_VARIABLES.map((name) => name.toLowerCase()),
];

/** For execa and child_process. */
export type ChildEnvironment = { env: Record<string, string>; extendEnv: false };

type Prefix = { words: readonly string[]; missing: readonly MissingLimit[] };
let prefix: Prefix | undefined;

/**
 * Returns the command line and execa `options` for a program. On Linux it adds `prlimit`, because a hostile file can
 * make a decoder allocate any amount of memory; `unshare`, because a compromised decoder should have no network; and
 * `setpriv --pdeathsig KILL`, because a worker killed by SIGKILL runs no cleanup and its orphaned ffmpeg would keep
 * encoding.
 */
export function launchCommand(
  program: string,
  args: readonly string[],
  encoder: Encoder = "software",
): { file: string; args: string[]; options: ChildEnvironment } {
  const [file, ...rest] = [...findPrefix().words, program, ...args];
  return { file: file!, args: rest, options: mediaEnvironment(encoder) };
}

/** Returns the limits that this system cannot set. */
export function missingLimits(): readonly MissingLimit[] {
  return findPrefix().missing;
}

/** Returns ffmpeg's environment, without our passwords and keys, which a compromised ffmpeg could read. */
export function mediaEnvironment(encoder: Encoder = "software"): ChildEnvironment {
  return environmentOf([...VARIABLES, ...(encoder === "software" ? [] : DRIVER_VARIABLES)]);
}

/** Returns yt-dlp's environment, which adds a home, a temporary folder and proxies. */
export function downloaderEnvironment(): ChildEnvironment {
  return environmentOf([...VARIABLES, ...DOWNLOADER_VARIABLES]);
}

function environmentOf(names: readonly string[]): ChildEnvironment {
  const set = names.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { env: Object.fromEntries(set), extendEnv: false };
}

function findPrefix(): Prefix {
  if (prefix) return prefix;
  // BusyBox has no prlimit; its setpriv, and that of util-linux before 2.33, lacks the option
  const [hasMemoryLimit, hasNoNetwork, isTied] = [LIMITED, WITHOUT_NETWORK, TIED_TO_PARENT].map(works);
  const missing: MissingLimit[] = [
    ...(hasMemoryLimit ? [] : ["memory" as const]),
    ...(hasNoNetwork ? [] : ["network" as const]),
  ];
  // setpriv comes last: a new user namespace would undo it
  const words = [
    ...(hasMemoryLimit ? LIMITED : []),
    ...(hasNoNetwork ? WITHOUT_NETWORK : []),
    ...(isTied ? TIED_TO_PARENT : []),
  ];
  return (prefix = { words, missing });
}

function works([file, ...args]: string[]): boolean {
  if (process.platform !== "linux") return false;
  try {
    execFileSync(file!, [...args, "true"], { stdio: "ignore", timeout: 5_000, env: mediaEnvironment().env });
    return true;
  } catch {
    return false;
  }
}
