import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { sql } from "kysely";
import { Client } from "pg";
import { DATABASE_FOLDER, openDatabase } from "#database/open-database.ts";
import { hasNoTables } from "#operations/backup/database/kept-tables.ts";
import type { Manifest } from "#operations/backup/manifest.ts";
import { readS3Location } from "#storage/s3/s3-location.ts";
import { makeS3Store, S3_LIMITS } from "#storage/s3/s3-store.ts";
import { startPostgres } from "./databases/postgres.ts";
import { type S3Server, startS3Server } from "../twins/s3-server.ts";

export type Place = {
  dataDir: string;
  environment: Record<string, string>;
  /** Null if embedded. */
  databaseUrl: string | null;
  /** Null for a folder. */
  storageUrl: string | null;
  countFiles(): Promise<number>;
};

export type Places = {
  embedded(name: string): Place;
  onServers(name: string): Promise<Place>;
  close(): Promise<void>;
};

/**
 * Starts PostgreSQL and an S3 server for `onServers`, which creates the database `name` (a plain SQL identifier). Each
 * place has the data directory `name` in `folder`, which is not created.
 */
export async function openPlaces(folder: string): Promise<Places> {
  const postgres = await startPostgres();
  const bucket = await startS3Server();
  return {
    embedded: (name) => embeddedPlace(path.join(folder, name)),
    async onServers(name) {
      const client = new Client({ connectionString: postgres.urlOf("postgres") });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return serverPlace(path.join(folder, name), postgres.urlOf(name), bucket, name);
    },
    async close() {
      await bucket.close();
      await postgres.stop();
    },
  };
}

function embeddedPlace(dataDir: string): Place {
  return {
    dataDir,
    environment: { DATA_DIR: dataDir, DATABASE_URL: "", STORAGE_URL: "" },
    databaseUrl: null,
    storageUrl: null,
    countFiles: () => countFilesBelow(path.join(dataDir, "files")),
  };
}

function serverPlace(dataDir: string, databaseUrl: string, bucket: S3Server, name: string): Place {
  const { location } = bucket;
  const storageUrl = `s3://${location.bucket}/${location.prefix}/${name}?endpoint=${location.endpoint}`;
  const credentials = {
    AWS_ACCESS_KEY_ID: process.env["AWS_ACCESS_KEY_ID"]!,
    AWS_SECRET_ACCESS_KEY: process.env["AWS_SECRET_ACCESS_KEY"]!,
  };
  return {
    dataDir,
    environment: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, STORAGE_URL: storageUrl, ...credentials },
    databaseUrl,
    storageUrl,
    countFiles: () => countObjects(storageUrl),
  };
}

async function countFilesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).length;
}

async function countObjects(storageUrl: string): Promise<number> {
  const location = readS3Location(storageUrl);
  if ("problem" in location) throw new Error(location.problem);
  const { client } = makeS3Store(location, S3_LIMITS);
  const all = new ListObjectsV2Command({ Bucket: location.bucket, Prefix: `${location.prefix}/` });
  const { Contents = [] } = await client.send(all);
  client.destroy();
  return Contents.length;
}

/**
 * Returns whether the database has all tables, only the mark of an unfinished restore or move, or neither. It must not
 * be in use.
 */
export async function stateOf({ dataDir, databaseUrl }: Place): Promise<"whole" | "unfinished" | "untouched"> {
  if (databaseUrl === null && !existsSync(path.join(dataDir, DATABASE_FOLDER))) return "untouched";
  const database = await openDatabase(databaseUrl === null ? { dataDir } : { databaseUrl, dataDir: null });
  try {
    if (!(await hasNoTables(database.db))) return "whole";
    const { rows } = await sql`select from pg_namespace where nspname = 'clipmill_unfinished'`.execute(database.db);
    return rows.length > 0 ? "unfinished" : "untouched";
  } finally {
    await database.close();
  }
}

/** Omits audit entries, which commands add. */
export async function contentOf(backup: string): Promise<Record<string, unknown>> {
  const manifest = JSON.parse(await readFile(path.join(backup, "manifest.json"), "utf8")) as Manifest;
  const compared = manifest.tables.filter(({ name }) => name !== "audit_entries");
  const tables = compared.map(({ name, rows, sha256 }) => [name, { rows, sha256 }] as const);
  return { ...Object.fromEntries(tables), files: manifest.files?.list.sha256 };
}
