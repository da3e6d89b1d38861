import path from "node:path";
import type { Command } from "commander";
import { withExclusiveAccess } from "#database/embedded/in-use.ts";
import type { Database } from "#database/open-database.ts";
import { TERMINAL } from "#operations/audit/write-audit.ts";
import { readSealingVersion, type Resealed, resealSecrets } from "#operations/settings/reseal-secrets.ts";
import { createSecretBox } from "#operations/settings/secret-box.ts";
import { keepSecretFingerprint, readSecretFingerprint, requireSameSecret } from "#operations/settings/sealed-values.ts";
import { keepNextSecret, makeNextSecret, readAppSecrets } from "#programs/first-start/app-secret.ts";
import { type Config, readConfig } from "../config.ts";
import { withDatabase } from "./with-database.ts";

/** Throws ClipmillError "conflict" while Clipmill is running, except with APP_SECRET and a database server. */
export function addSecretCommands(program: Command): void {
  program
    .command("secrets")
    .description("Manage the secret that encrypts saved keys.")
    .command("rotate")
    .description(
      "Re-encrypt saved keys, second steps and connections with APP_SECRET or, if that is not set, with a new secret in the data folder.",
    )
    .option(
      "--lost",
      "remove saved keys, second steps and secrets of connections and webhooks that were encrypted with a lost secret",
    )
    .action(async ({ lost = false }: { lost?: boolean }) => {
      const { removed, ...resealed } = await rotate(lost);
      console.log(`Re-encrypted: ${describeCounts(resealed)}.`);
      if (lost) console.log(`Removed: ${describeCounts(removed)}.`);
      console.log("Start Clipmill again. If the secret is new, everyone must sign in again.");
    });
}

async function rotate(removesLost: boolean): Promise<Resealed> {
  const config = readConfig(process.env);
  const dataDir = path.resolve(config.DATA_DIR);
  const rotateIn = (database: Database) => {
    const reseal = (): Promise<Resealed> => resealAll(database, config, dataDir, removesLost);
    // Running programs can be configured with both secrets, but do not read a new secret file.
    return config.APP_SECRET ? reseal() : withExclusiveAccess(database, reseal);
  };
  return withDatabase(config, rotateIn, { isShared: false });
}

async function resealAll(database: Database, config: Config, dataDir: string, removesLost: boolean): Promise<Resealed> {
  const before = await readAppSecrets(config, dataDir);
  const known = await readSecretFingerprint(database);
  // Stored next to the old secret until everything is sealed again: after a crash, one of them opens everything.
  const next = config.APP_SECRET ?? (await makeNextSecret(dataDir));
  const previous = [...before.previous, next];
  if (!removesLost) requireSameSecret(known, { current: before.current, previous });
  const from = createSecretBox(before.current, { previous });
  const to = createSecretBox(next, { version: (await readSealingVersion(database)) + 1 });
  const resealed = await resealSecrets({ db: database.db, actor: TERMINAL }, { from, to, removesLost });
  await keepSecretFingerprint(database, next);
  if (!config.APP_SECRET) await keepNextSecret(dataDir);
  return resealed;
}

function describeCounts({ keys, secondSteps, connections, webhooks }: Resealed["removed"]): string {
  const secrets = `${count(connections, "connection secret")} and ${count(webhooks, "webhook secret")}`;
  return `${count(keys, "key")}, ${count(secondSteps, "second step")}, ${secrets}`;
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}
