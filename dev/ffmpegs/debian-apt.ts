/** Runs apt in separate folders, so that nothing on this machine changes. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { execa } from "execa";

const USUAL_MIRROR = "http://deb.debian.org";
const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";
const SECONDS = 120;

export type Apt = (command: "apt-get" | "apt-cache", args: readonly string[]) => Promise<string>;

/** For a suite such as "bookworm", with its security updates, or "sid", which has none. */
export async function openApt(folder: string, suite: string): Promise<Apt> {
  for (const name of ["lists/partial", "archives/partial"]) mkdirSync(path.join(folder, name), { recursive: true });
  // With an empty list of installed packages, apt also downloads the C library.
  writeFileSync(path.join(folder, "status"), "");
  const mirror = await findMirror();
  const suites = [`${mirror}/debian ${suite}`];
  if (suite !== "sid") suites.push(`${mirror}/debian-security ${suite}-security`);
  const sources = suites.map((one) => `deb [signed-by=${KEYRING}] ${one} main\n`);
  writeFileSync(path.join(folder, "sources.list"), sources.join(""));
  const settings = {
    "Dir::Etc::sourcelist": path.join(folder, "sources.list"),
    "Dir::Etc::sourceparts": "/dev/null",
    "Dir::Etc::preferences": "/dev/null",
    "Dir::Etc::preferencesparts": "/dev/null",
    "Dir::State": folder,
    "Dir::State::lists": path.join(folder, "lists"),
    "Dir::State::status": path.join(folder, "status"),
    "Dir::Cache": folder,
    "Dir::Cache::archives": path.join(folder, "archives"),
    "APT::Install-Recommends": "false",
    "APT::Sandbox::User": "root",
    "Acquire::Languages": "none",
    "Acquire::Retries": "1",
    "Acquire::http::Timeout": "15",
  };
  const configuration = path.join(folder, "apt.conf");
  const lines = Object.entries(settings).map(([name, value]) => `${name} "${value}";\n`);
  writeFileSync(configuration, lines.join(""));
  return async (command, args) => {
    const env = { APT_CONFIG: configuration, LC_ALL: "C" };
    return (await execa(command, args, { env, timeout: SECONDS * 1_000, stdin: "ignore" })).stdout;
  };
}

/** Returns the address of the Debian mirror that this machine is configured with, or else the usual one. */
async function findMirror(): Promise<string> {
  const { stdout } = await execa("apt-get", ["indextargets", "--format", "$(REPO_URI)"], { reject: false });
  const [, address] = /^(https?:\/\/.+)\/debian\/?$/m.exec(stdout ?? "") ?? [];
  return address ?? USUAL_MIRROR;
}
