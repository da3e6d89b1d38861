/** How a media program is started so that it never outlives this process. */
import { execFileSync } from "node:child_process";

const SETPRIV = "setpriv";
const TIED_TO_PARENT = ["--pdeathsig", "KILL", "--"];

let prefix: readonly string[] | undefined;

/**
 * The command line that runs `program`: through `setpriv --pdeathsig KILL` where that works (Linux), because a worker
 * killed by SIGKILL runs no cleanup, and an ffmpeg of its own would go on encoding for nobody.
 */
export function launchCommand(program: string, args: readonly string[]): { file: string; args: string[] } {
  prefix ??= canTieToParent() ? [SETPRIV, ...TIED_TO_PARENT] : [];
  const [file, ...rest] = [...prefix, program, ...args];
  return { file: file!, args: rest };
}

function canTieToParent(): boolean {
  if (process.platform !== "linux") return false;
  try {
    // setpriv of BusyBox and of util-linux before 2.33 does not know the option
    execFileSync(SETPRIV, [...TIED_TO_PARENT, "true"], { stdio: "ignore", timeout: 5_000 });
    return true;
  } catch {
    return false;
  }
}
