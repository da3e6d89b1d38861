import { spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findOnPath, isExecutable } from "#ground/find-program.ts";
import { findFreePort } from "../../network/free-port.ts";

/** Instead of root, which PgBouncer does not run as. */
const NOBODY = { uid: 65_534, gid: 65_534 };

type PgBouncer = {
  urlOf(databaseUrl: string): string;
  stop(): Promise<void>;
};

/**
 * Starts PgBouncer in transaction mode on 127.0.0.1, with at most `connections` to each database; null if it is not
 * installed.
 */
export async function startPgBouncer(databaseUrl: string, connections: number): Promise<PgBouncer | null> {
  const program = findPgBouncer();
  if (program === null) return null;
  const { hostname, port: databasePort, username, password } = new URL(databaseUrl);
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-pgbouncer-"));
  const port = await findFreePort();
  const config = [
    "[databases]",
    `* = host=${hostname} port=${databasePort} user=${username} password=${password}`,
    "[pgbouncer]",
    ...["listen_addr = 127.0.0.1", `listen_port = ${port}`, "unix_socket_dir =", "auth_type = any"],
    ...["pool_mode = transaction", `default_pool_size = ${connections}`, "max_client_conn = 200"],
    ...["idle_transaction_timeout = 15", "log_connections = 0", "log_disconnections = 0"],
  ];
  const file = path.join(folder, "pgbouncer.ini");
  await writeFile(file, `${config.join("\n")}\n`);
  const owner = process.getuid?.() === 0 ? NOBODY : null;
  if (owner) await chown(folder, owner.uid, owner.gid);
  const child = spawn(program, ["-q", file], { ...owner, cwd: folder, stdio: "ignore" });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    await rm(folder, { recursive: true, force: true });
  };
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}.`);
    await delay(50);
  }
  return {
    urlOf(url) {
      const pooled = new URL(url);
      pooled.port = String(port);
      return pooled.href;
    },
    stop,
  };
}

/** Often outside the PATH of users. */
export function findPgBouncer(): string | null {
  return findOnPath("pgbouncer") ?? ["/usr/sbin/pgbouncer"].find(isExecutable) ?? null;
}

async function isListening(port: number): Promise<boolean> {
  const socket = net.connect(port, "127.0.0.1");
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  });
  socket.destroy();
  return isOpen;
}
