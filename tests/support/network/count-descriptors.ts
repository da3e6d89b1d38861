/** Linux only: reads /proc. */
import { readdir, readFile, readlink } from "node:fs/promises";

/** Counts open descriptors, except connections to `poolPort`, which vary with the database pool's load. */
export async function countDescriptors(pid: number, poolPort: number): Promise<number> {
  const folder = `/proc/${pid}/fd`;
  const [names, pooled] = await Promise.all([readdir(folder), socketsTo(pid, poolPort)]);
  const targets = await Promise.all(
    // The descriptor may have closed in the meantime.
    names.map((name) => readlink(`${folder}/${name}`).catch(() => undefined)),
  );
  return targets.filter((target) => target !== undefined && !pooled.has(target)).length;
}

/** As link targets of descriptors (proc_pid_net(5)). */
async function socketsTo(pid: number, port: number): Promise<Set<string>> {
  const tables = await Promise.all(["tcp", "tcp6"].map((table) => readFile(`/proc/${pid}/net/${table}`, "utf8")));
  const rows = tables.flatMap((table) => table.trim().split("\n").slice(1));
  const fields = rows.map((row) => row.trim().split(/\s+/));
  const found = fields.filter(([, , remote = ""]) => Number.parseInt(remote.split(":")[1] ?? "", 16) === port);
  return new Set(found.map((row) => `socket:[${row[9]}]`));
}
