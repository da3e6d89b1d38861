import { execFileSync } from "node:child_process";
import type { Encoder, MissingLimit } from "#contract/settings/system.ts";

/**
 * Programs must not outlive this process. The kernel only sends the signal if the parent dies after the request, so the
 * shell first checks the parent.
 */
const TIED = [
  ...["setpriv", "--pdeathsig", "KILL", "--"],
  ...["sh", "-c", '[ "$PPID" = "$0" ] && unset PWD OLDPWD SHLVL && exec "$@"', String(process.pid)],
];
/** Twice what encoding 8K uses. Limits data, not address space, because threads reserve far more than they use. */
const MAX_DATA_BYTES = 6 * 2 ** 30;
const LIMITED = ["prlimit", `--data=${MAX_DATA_BYTES}`];
/** Non-root users need a user namespace. */
const WITHOUT_NETWORK = ["unshare", "--net", ...(process.getuid?.() === 0 ? [] : ["--map-root-user"]), "--"];

type Checked = { isLimited: boolean; hasNoNetwork: boolean; isTied: boolean };
let checked: Checked | undefined;

/**
 * Prefix of a program's command line: `prlimit`, because a hostile file can make a decoder allocate any amount of
 * memory; `unshare`, so that a compromised decoder has no network; and the tie to this process, so that a SIGKILL leaves
 * no ffmpeg encoding. Without root, each program has its own user namespace: in a common one, programs could read each
 * other.
 */
export function allLimits(): readonly string[] {
  const { isLimited, hasNoNetwork, isTied } = check();
  // The tie comes last: a new user namespace would undo it.
  return [...(isLimited ? LIMITED : []), ...(hasNoNetwork ? WITHOUT_NETWORK : []), ...(isTied ? TIED : [])];
}

/** Like `allLimits`, for our own code, which may use the network. */
export function ownLimits(): readonly string[] {
  const { isLimited, isTied } = check();
  return [...(isLimited ? LIMITED : []), ...(isTied ? TIED : [])];
}

export function missingLimits(): readonly MissingLimit[] {
  const { isLimited, hasNoNetwork } = check();
  return [...(isLimited ? [] : ["memory" as const]), ...(hasNoNetwork ? [] : ["network" as const])];
}

/** BusyBox lacks prlimit; its setpriv, and that of util-linux before 2.33, lacks the option. */
function check(): Checked {
  checked ??= { isLimited: works(LIMITED), hasNoNetwork: works(WITHOUT_NETWORK), isTied: works(TIED) };
  return checked;
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

const VARIABLES = ["PATH", "LANG"];
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

/** Omits Clipmill's passwords and keys, which a compromised ffmpeg could read. */
export function mediaEnvironment(encoder: Encoder = "software"): Record<string, string> {
  return environmentOf([...VARIABLES, ...(encoder === "software" ? [] : DRIVER_VARIABLES)]);
}

export function downloaderEnvironment(): Record<string, string> {
  return environmentOf([...VARIABLES, ...DOWNLOADER_VARIABLES]);
}

function environmentOf(names: readonly string[]): Record<string, string> {
  const set = names.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(set);
}
