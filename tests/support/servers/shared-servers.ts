/**
 * Servers shared by a test run (dev/test-on-servers.ts): TEST_DATABASE is the URL of a PostgreSQL with the template,
 * TEST_STORAGE a bucket like STORAGE_URL. If unset, tests use the embedded database or a folder.
 */
import { createHash, randomBytes } from "node:crypto";
import { Client, DatabaseError } from "pg";
import { migrate } from "#database/migrate.ts";
import { type Database, openDatabase } from "#database/open-database.ts";
import { openQueue } from "#queue/open-queue.ts";

export const TEMPLATE = "clipmill_template";
export const WITHOUT_TABLES = "template0";
const DUPLICATE_DATABASE = "42P04";

export const sharedPostgresUrl = process.env["TEST_DATABASE"];
const sharedBucketUrl = process.env["TEST_STORAGE"];
export const isOnBucket = sharedBucketUrl !== undefined;
export const isOnServers = isOnBucket || sharedPostgresUrl !== undefined;

export async function createTemplate(serverUrl: string): Promise<void> {
  await runOn(serverUrl, `create database ${TEMPLATE}`);
  const database = await openDatabase({ databaseUrl: urlOf(serverUrl, TEMPLATE), dataDir: null });
  await migrate(database.db);
  const queue = await openQueue(database, () => {});
  await queue.stop();
  await database.close();
  // A database with connections cannot be copied.
  await runOn(serverUrl, `alter database ${TEMPLATE} allow_connections false`);
}

/** Dropped when closed. */
export async function openCopy(serverUrl: string, template = TEMPLATE): Promise<Database> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const database = await openDatabase({ databaseUrl: await copyTemplate(serverUrl, name, template), dataDir: null });
  return {
    ...database,
    async close() {
      await database.close();
      await runOn(serverUrl, `drop database ${name} with (force)`);
    },
  };
}

/** Null without a bucket. */
export function sharedBucketFor(name: string = randomBytes(8).toString("hex")): string | null {
  if (!sharedBucketUrl) return null;
  const url = new URL(sharedBucketUrl);
  url.pathname += `/${name}`;
  return url.href;
}

/**
 * Makes a program use the shared servers; the same data directory gets the same database and files. Tests can override
 * it with a URL, or with "" for the embedded kind.
 */
export async function environmentOnServers(dataDir: string): Promise<Record<string, string>> {
  const name = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  const bucketUrl = sharedBucketFor(name);
  return {
    ...(sharedPostgresUrl && { DATABASE_URL: await copyTemplate(sharedPostgresUrl, `program_${name}`) }),
    ...(bucketUrl !== null && {
      STORAGE_URL: bucketUrl,
      AWS_ACCESS_KEY_ID: process.env["AWS_ACCESS_KEY_ID"] ?? "",
      AWS_SECRET_ACCESS_KEY: process.env["AWS_SECRET_ACCESS_KEY"] ?? "",
    }),
  };
}

/** Copies the template to `name`, unless that database exists. Returns its URL. */
async function copyTemplate(serverUrl: string, name: string, template = TEMPLATE): Promise<string> {
  try {
    await runOn(serverUrl, `create database ${name} template ${template}`);
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === DUPLICATE_DATABASE)) throw error;
  }
  return urlOf(serverUrl, name);
}

export async function runOn(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
