import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { readConfig } from "../../../src/config.ts";
import { findWebApp } from "#programs/first-start/find-web-app.ts";
import { type Clipmill, startClipmill } from "#programs/start/start-clipmill.ts";
import { PASSWORD } from "./clipmill-process.ts";
import { copyInstallation } from "./installed-clipmill.ts";
import { environmentOnServers } from "./shared-servers.ts";

export type SeededClipmill = Clipmill & { db: Clipmill["context"]["db"]; folder: string };

/** May be written by the files that share an instance. Deletes cascade to dependent rows. */
const WRITTEN = [
  "jobs",
  "caption_sets",
  "audio_sets",
  "presets",
  "brand_kits",
  "destinations",
  "connections",
  "routes",
  "domains",
  "audit_entries",
] as const;

let shared: Promise<SeededClipmill> | null = null;

/**
 * Returns this process's shared instance in the test's own process, without earlier files' rows, because a start takes
 * seconds. Not for files that run jobs or need an environment.
 */
export async function shareSeededClipmill(): Promise<SeededClipmill> {
  shared ??= startUntilExit();
  const clipmill = await shared;
  for (const table of WRITTEN) await clipmill.db.deleteFrom(table).execute();
  // A single row that the Cloak Manager requires.
  await clipmill.db.updateTable("cloak_changes").set({ changes: 0, published: 0 }).execute();
  return clipmill;
}

async function startUntilExit(): Promise<SeededClipmill> {
  const clipmill = await startSeededClipmill();
  process.once("exit", () => rmSync(clipmill.folder, { recursive: true, force: true }));
  return clipmill;
}

export async function startSeededClipmill(environment: Record<string, string> = {}): Promise<SeededClipmill> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-seeded-"));
  const dataDir = path.join(folder, "data");
  await copyInstallation(dataDir);
  const config = readConfig({
    PORT: "0",
    REDIRECTOR_PORT: "0",
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: PASSWORD,
    ...(await environmentOnServers(dataDir)),
    ...environment,
  });
  const clipmill = await startClipmill(config, findWebApp, pino({ level: "silent" }));
  return {
    ...clipmill,
    db: clipmill.context.db,
    folder,
    async stop() {
      await clipmill.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
