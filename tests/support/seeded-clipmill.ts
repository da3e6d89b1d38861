/** A whole Clipmill inside the test's own process, so that a test can write rows that no job would make in its time. */
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { readConfig } from "../../src/config.ts";
import { type Clipmill, startClipmill } from "#programs/start-clipmill.ts";
import { PASSWORD } from "./clipmill-process.ts";
import { copyInstallation } from "./installed-clipmill.ts";
import { environmentOnServers } from "./shared-servers.ts";

export type SeededClipmill = Clipmill & { db: Clipmill["context"]["db"] };

/** Starts on free ports and an own folder, with a worker that has nothing to do. */
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
  const clipmill = await startClipmill(config, async () => "dist/web", pino({ level: "silent" }));
  return {
    ...clipmill,
    db: clipmill.context.db,
    async stop() {
      await clipmill.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
