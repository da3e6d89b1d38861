/** How a media program is started so that it never outlives this process, takes all memory or reaches the network. */
import { execFileSync } from "node:child_process";

const TIED_TO_PARENT = ["setpriv", "--pdeathsig", "KILL", "--"];
/**
 * Twice what encoding 8K takes. Data and not address space is limited: threads reserve far more addresses than they ever
 * use, and an ffmpeg with many of them fails for no reason.
 */
const MOST_DATA_BYTES = 6 * 2 ** 30;
const LIMITED = ["prlimit", `--data=${MOST_DATA_BYTES}`];
/** Whoever is not root needs a user namespace for it. */
const WITHOUT_NETWORK = ["unshare", "--net", ...(process.getuid?.() === 0 ? [] : ["--map-root-user"]), "--"];

let prefix: readonly string[] | undefined;

/**
 * The command line that runs `program`, where that works (Linux): through `prlimit`, because a hostile file can make a
 * decoder ask for any amount of memory; through `unshare`, because a decoder that a file has taken over should find nobody
 * to talk to; and through `setpriv --pdeathsig KILL`, because a worker killed by SIGKILL runs no
 * cleanup, and an ffmpeg of its own would go on encoding for nobody.
 */
export function launchCommand(program: string, args: readonly string[]): { file: string; args: string[] } {
  // prlimit of BusyBox is absent, setpriv of BusyBox and of util-linux before 2.33 does not know the option
  // the tie comes last: a new user namespace would cut it
  prefix ??= [LIMITED, WITHOUT_NETWORK, TIED_TO_PARENT].filter(works).flat();
  const [file, ...rest] = [...prefix, program, ...args];
  return { file: file!, args: rest };
}

function works([file, ...args]: string[]): boolean {
  if (process.platform !== "linux") return false;
  try {
    execFileSync(file!, [...args, "true"], { stdio: "ignore", timeout: 5_000 });
    return true;
  } catch {
    return false;
  }
}
