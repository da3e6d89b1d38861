/** Databases for tests: in memory unless the run is on servers, each its own, copied from a template that is made once. */
import { createHash, randomUUID } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { migrate } from "#database/migrate.ts";
import { createPglite, type Database, wrapEmbedded } from "#database/open-database.ts";
import { openQueue } from "#queue/open-queue.ts";
import { openCopy, sharedPostgresUrl } from "./shared-servers.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
/** What a template is made of: when one of them changes, so does its name. */
const SOURCES = [
  "src/database/migrate.ts",
  "src/database/migrations/*.ts",
  "src/queue/create-queues.ts",
  "package-lock.json",
];

let template: Promise<Blob> | null = null;

/** An empty database with all tables and the queue's, of the kind that this run is about. */
export function openTestDatabase(): Promise<Database> {
  return sharedPostgresUrl ? openCopy(sharedPostgresUrl) : openEmbeddedDatabase();
}

/** One in memory, ready in about a second where initdb takes four. */
export async function openEmbeddedDatabase(): Promise<Database> {
  template ??= readTemplate();
  return wrapEmbedded(await createPglite({ loadDataDir: await template }), () => {});
}

async function readTemplate(): Promise<Blob> {
  const file = path.join(os.tmpdir(), `clipmill-test-database-${digestSources()}.tar`);
  try {
    return new Blob([await readFile(file)]);
  } catch {
    const made = await makeTemplate();
    // Several test workers may make it at once: each renames a whole file into place.
    const part = `${file}.${randomUUID()}`;
    await writeFile(part, Buffer.from(await made.arrayBuffer()));
    await rename(part, file);
    return made;
  }
}

async function makeTemplate(): Promise<Blob> {
  const pglite = await createPglite({});
  const database = wrapEmbedded(pglite, () => {});
  await migrate(database.db);
  const queue = await openQueue(database, () => {});
  await queue.stop();
  const dump = await pglite.dumpDataDir("none");
  await database.close();
  return dump;
}

function digestSources(): string {
  const digest = createHash("sha256");
  for (const file of globSync(SOURCES, { cwd: ROOT }).toSorted()) digest.update(readFileSync(path.join(ROOT, file)));
  return digest.digest("hex").slice(0, 16);
}
