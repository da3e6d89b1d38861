/** Runs OpenSSH's sshd as an unprivileged SFTP server on 127.0.0.1, with its own keys and folder. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, chown, constants, mkdtemp, rm, writeFile } from "node:fs/promises";
import net, { type AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import ssh2 from "ssh2";
import { fingerprintOf } from "#integrations/remote-stores/sftp/connect-sftp.ts";
import { makeSshKey } from "../twins/stores/make-ssh-key.ts";

export type OpenSsh = {
  port: number;
  username: string;
  privateKey: string;
  fingerprint: string;
  folder: string;
};

/** This test run's server (dev/test-on-servers.ts), if any. */
export const sharedOpenSsh: OpenSsh | null = JSON.parse(process.env["TEST_SSHD"] ?? "null") as OpenSsh | null;

/** Instead of root. sshd signs in only its own user, and considers `nobody` locked on some systems. */
const DAEMON = { username: "daemon", uid: 1, gid: 1 };

/** Null if sshd is not installed. */
export async function startOpenSsh(): Promise<(OpenSsh & { stop(): Promise<void> }) | null> {
  const program = await findSshd();
  if (program === null) return null;
  const { username, uid, gid } = process.getuid?.() === 0 ? DAEMON : os.userInfo();
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-sshd-"));
  const [hostKey, userKey] = [makeSshKey(), makeSshKey()];
  const port = await findFreePort();
  const at = (name: string) => path.join(folder, name);
  const config = [
    ...["ListenAddress 127.0.0.1", `Port ${port}`, "PidFile none", "LogLevel FATAL"],
    ...[`HostKey ${at("host-key")}`, `AuthorizedKeysFile ${at("authorized-keys")}`, "StrictModes no", "UsePAM no"],
    ...["PasswordAuthentication no", "KbdInteractiveAuthentication no", "MaxStartups 200"],
    ...["Subsystem sftp internal-sftp", "ForceCommand internal-sftp"],
  ];
  const files = { "host-key": hostKey.private, "authorized-keys": userKey.public, config: config.join("\n") };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(at(name), `${text.trimEnd()}\n`, { mode: 0o600 });
    await chown(at(name), uid, gid);
  }
  await chown(folder, uid, gid);
  const child = spawn(program, ["-D", "-e", "-f", at("config")], {
    ...{ uid, gid, cwd: folder },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await waitUntilListening(port, () => child.exitCode);
  } catch (error) {
    await stop();
    throw error;
  }
  const parsed = ssh2.utils.parseKey(hostKey.public);
  if (parsed instanceof Error) throw parsed;
  const fingerprint = fingerprintOf(parsed.getPublicSSH());
  return { port, username, privateKey: userKey.private, fingerprint, folder, stop };
}

/** Often outside the PATH of users. sshd must be started by its absolute path. */
async function findSshd(): Promise<string | null> {
  for (const folder of [...(process.env["PATH"] ?? "").split(path.delimiter), "/usr/sbin", "/usr/local/sbin"]) {
    const program = path.join(folder, "sshd");
    const isThere = access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (path.isAbsolute(program) && (await isThere)) return program;
  }
  return null;
}

async function findFreePort(): Promise<number> {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function waitUntilListening(port: number, exitCode: () => number | null): Promise<void> {
  for (;;) {
    if (exitCode() !== null) throw new Error(`sshd ended with ${exitCode()}.`);
    const socket = net.connect(port, "127.0.0.1");
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await delay(50);
  }
}
