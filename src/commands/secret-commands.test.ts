import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "#database/open-database.ts";
import { createSecretBox } from "#operations/settings/secret-box.ts";
import { readServiceKey, saveServiceKey } from "#operations/settings/service-key.ts";
import { copyDatabase } from "#tests/support/servers/databases/database.ts";
import { startPostgres } from "#tests/support/servers/databases/postgres.ts";
import { readAppSecrets } from "#programs/first-start/app-secret.ts";

const LAUNCHER = path.resolve(import.meta.dirname, "../../bin/clipmill.js");
/** Each run starts a full process: seconds on a busy machine. */
const TIMEOUT_MS = 300_000;
const KEY = "AIza-0123456789abcdef";
const OLD = "an old secret for tests, long enough";
const NEW = "a new secret for tests, long enough too";

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), "clipmill-secrets-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

function launch(secrets: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, ...secrets };
  return spawn(process.execPath, [LAUNCHER, "secrets", "rotate"], { env });
}

async function rotate(secrets: Record<string, string> = {}): Promise<{ code: number | null; said: string }> {
  const child = launch(secrets);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (said += part.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, said };
}

async function saveKey(secrets: Record<string, string> = {}): Promise<void> {
  await copyDatabase(dataDir);
  const database = await openDatabase({ dataDir });
  const { current } = await readAppSecrets(secrets, dataDir);
  await saveServiceKey({ db: database.db, secrets: createSecretBox(current) }, "google_drive_key", KEY);
  await database.close();
}

/** Returns the key, or the error message. */
async function readKey(secrets: Record<string, string> = {}): Promise<string | null> {
  const database = await openDatabase({ dataDir });
  const { current, previous } = await readAppSecrets(secrets, dataDir);
  const box = createSecretBox(current, { previous });
  try {
    return await readServiceKey({ db: database.db, secrets: box }, "google_drive_key");
  } catch (error) {
    return (error as Error).message;
  } finally {
    await database.close();
  }
}

async function readAudit(): Promise<unknown[]> {
  const database = await openDatabase({ dataDir });
  const entries = database.db.selectFrom("audit_entries").select(["email", "action", "subject"]);
  const rows = await entries.execute();
  await database.close();
  return rows;
}

it(
  "rotates the secret in the data directory; the old one no longer decrypts anything",
  { timeout: TIMEOUT_MS },
  async () => {
    await saveKey();
    const old = readFileSync(path.join(dataDir, "app-secret"), "utf8");
    expect(await rotate()).toEqual({
      code: 0,
      said: "Re-encrypted: 1 key, 0 second steps, 0 connection secrets and 0 webhook secrets.\nStart Clipmill again. If the secret is new, everyone must sign in again.\n",
    });
    expect(readFileSync(path.join(dataDir, "app-secret"), "utf8")).not.toBe(old);
    expect(existsSync(path.join(dataDir, "app-secret.next"))).toBe(false);
    // Kept until a program has started with the new one.
    expect(readFileSync(path.join(dataDir, "app-secret.previous"), "utf8")).toBe(old);
    expect(await readKey()).toBe(KEY);
    expect(await readAudit()).toEqual([{ email: "terminal", action: "secrets.rotate", subject: null }]);
    expect(await readKey({ APP_SECRET: `${old}${old}` })).toBe(KEY);
    await rm(path.join(dataDir, "app-secret"));
    expect(await readKey({ APP_SECRET: old })).toContain("cannot be decrypted");
  },
);

it(
  "re-encrypts from PREVIOUS_APP_SECRET to APP_SECRET; a server accepts both until then",
  { timeout: TIMEOUT_MS },
  async () => {
    await saveKey({ APP_SECRET: OLD });
    const both = { APP_SECRET: NEW, PREVIOUS_APP_SECRET: OLD };
    expect(await readKey(both)).toBe(KEY);
    expect(await readKey({ APP_SECRET: NEW })).toContain("cannot be decrypted");
    // Fails without the old secret, and changes nothing.
    expect((await rotate({ APP_SECRET: NEW })).code).toBe(1);
    expect((await rotate(both)).code).toBe(0);
    expect(await readKey({ APP_SECRET: NEW })).toBe(KEY);
  },
);

it("loses nothing when killed, and continues when run again", { timeout: TIMEOUT_MS }, async () => {
  await saveKey();
  const next = path.join(dataDir, "app-secret.next");
  const child = launch();
  const closed = once(child, "close");
  while (!existsSync(next) && child.exitCode === null) await new Promise((resolve) => setImmediate(resolve));
  // The new secret is written, and used now or soon.
  child.kill("SIGKILL");
  await closed;
  expect(await readKey()).toBe(KEY);
  expect((await rotate()).code).toBe(0);
  expect(existsSync(next)).toBe(false);
  expect(await readKey()).toBe(KEY);
});

it(
  "is rejected while a program runs on PostgreSQL, which could not pick up a new secret",
  {
    timeout: TIMEOUT_MS,
  },
  async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    const databaseUrl = server.urlOf("postgres");
    const running = await openDatabase({ databaseUrl, dataDir: null });
    await running.listen("anything", () => {});
    const rejected = await rotate({ DATABASE_URL: databaseUrl });
    await running.close();
    expect(rejected).toEqual({
      code: 1,
      said: "Servers or workers are using this database. Stop all of them, run this command, then start them again.\n",
    });
    expect(existsSync(path.join(dataDir, "app-secret"))).toBe(false);
    expect((await rotate({ DATABASE_URL: databaseUrl })).code).toBe(0);
  },
);
