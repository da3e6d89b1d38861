import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "#database/open-database.ts";
import { openFolderStorage } from "#storage/open-storage.ts";
import type { Storage } from "#storage/storage.ts";
import { flipBits } from "#tests/support/media/faulty/damage.ts";
import { mountSmallDisk, unmountSmallDisk } from "#tests/support/faults/machine/small-disk.ts";
import { openWithoutTables, openTestDatabase } from "#tests/support/servers/databases/database.ts";
import { openPostgresDatabase, openPostgresWithoutTables } from "#tests/support/servers/databases/postgres.ts";
import { createCodeHasher, issueMailToken } from "../accounts/mail/mail-token.ts";
import { TERMINAL } from "../audit/write-audit.ts";
import { openQueue } from "#queue/open-queue.ts";
import { writeEvent } from "../outgoing/write-event.ts";
import { addWebhook } from "../webhooks/add-webhook.ts";
import { sealConnectionSecret } from "../connections/select-connections.ts";
import { createSecretBox } from "../settings/secret-box.ts";
import { saveServiceKey } from "../settings/service-key.ts";
import { keepSecretFingerprint } from "../settings/sealed-values.ts";
import { backUp, type BackupReport, type BackupSource } from "./back-up.ts";
import { EXCLUDED_TABLES, listBackupTables } from "./database/kept-tables.ts";
import { readManifest } from "./manifest.ts";
import { restore } from "./restore.ts";
import { requireFinished } from "./files/unfinished.ts";
import { pinTextFormats, readLines, writeLines } from "./database/line-file.ts";

const SECRET = "a secret for tests that is long enough";
const OWN = { current: SECRET, previous: [] };
const JOB = "11111111-1111-4111-8111-111111111111";
const VIDEO = "22222222-2222-4222-8222-222222222222";
const ACCOUNT = "33333333-3333-4333-8333-333333333333";
const DISABLED = "44444444-4444-4444-8444-444444444444";

let folder: string;
let storage: Storage;
const opened: Database[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-backup-"));
  storage = await openFolderStorage(path.join(folder, "files"));
});
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(from: () => Promise<Database>): Promise<Database> {
  const database = await from();
  opened.push(database);
  return database;
}

/** Opens a new installation's database. Only the first tests restore to the embedded kind. */
const openEmpty = (): Promise<Database> => open(openPostgresWithoutTables);

function backUpTo(name: string, { db }: Database, secret: BackupSource["secret"] = OWN): Promise<BackupReport> {
  const source = { db, files: { storage, isFolder: true }, secret, leavesSecretOut: false, actor: null };
  return backUp(source, path.join(folder, name));
}

type RestoreOptions = { secret?: string | null; isSecretLost?: boolean; skipsDamagedFiles?: boolean };

async function restoreFrom(
  name: string,
  database: Database,
  { secret = SECRET, isSecretLost = false, skipsDamagedFiles = false }: RestoreOptions = {},
) {
  const files = {
    storage: await openFolderStorage(path.join(folder, "restored")),
    isFolder: true,
    scratch: path.join(folder, "scratch"),
  };
  const secrets = secret === null ? null : { current: secret, previous: [] };
  const target = { database, files, secrets, isSecretLost, keepSecret: async () => {}, skipsDamagedFiles, actor: null };
  return restore(target, path.join(folder, name));
}

/** In PostgreSQL's text format. */
function contentOf({ db }: Database): Promise<Record<string, string[]>> {
  return db.transaction().execute(async (trx) => {
    await pinTextFormats(trx);
    const content: Record<string, string[]> = {};
    for (const table of await listBackupTables(trx)) {
      const lines: string[] = [];
      for await (const batch of readLines(trx, table)) lines.push(...batch);
      content[table.name] = lines;
    }
    return content;
  });
}

/**
 * Adds a job with unusual texts, a waiting task, a sealed key, and a table with every type that later migrations may
 * use.
 */
async function fill(database: Database): Promise<void> {
  const { db } = database;
  await sql`insert into jobs (id, job_name, input_videos, captions_enabled, custom_captions, audio_enabled,
      custom_audio_links, audio_mode, watermark_enabled, variants_per_video, video_gain, music_gain, loop_audio,
      segment_duration, download_enabled, total_videos)
    values (${JOB}, ${'👩‍👩‍👧 "quoted" \\ back\tslash\n שלום'}, ${["a", 'b,"c"', "{}", "NULL", ""]}::text[], true,
      ${["\\N", "null", "\u0001\u2028", "  spaces  "]}::text[], false, '{}', 'mix', false, 1, 0.1, 1e-7, true, 30.000000000000004,
      true, 1)`.execute(db);
  await sql`insert into job_videos (id, job_id, position, link) values (${VIDEO}, ${JOB}, 0, 'a')`.execute(db);
  await sql`insert into job_outputs (job_id, video_id, variant, segment, name, status, size_bytes, crc32, storage_key)
    values (${JOB}, ${VIDEO}, 0, 0, 'one.mp4', 'Completed', 5, ${0x3610a686}, 'outputs/one.mp4')`.execute(db);
  const secrets = createSecretBox(SECRET);
  await saveServiceKey({ db, secrets }, "openai_key", "sk-secret");
  const id = randomUUID();
  const settings = { endpoint: null, region: "auto", access_key_id: "AKIA", buckets: ["clips"], path_style: false };
  const sealed_secret = sealConnectionSecret({ secrets }, id, { secret_access_key: "s3-secret" });
  await db
    .insertInto("connections")
    .values({ id, kind: "s3", name: "Archive", settings: JSON.stringify(settings), sealed_secret })
    .execute();
  await addWebhook(
    { db, secrets, privateWebhooks: [], actor: TERMINAL },
    { url: "https://hooks.example/", events: ["published"] },
  );
  const event = { type: "published", timestamp: "2026-01-01T00:00:00.000Z", data: {}, jobId: null } as const;
  const queue = await openQueue(database, () => {});
  await db.transaction().execute((trx) => writeEvent({ queue }, trx, event));
  await queue.stop();
  // Opening the queue of an embedded database would release it.
  await sql`insert into pgboss.job (id, name, data, priority, state, retry_count, started_on, blocked)
    values (${VIDEO}, 'videos', ${JSON.stringify({ videoId: VIDEO, jobId: JOB, startTag: 7 })}::jsonb, -7, 'active', 2,
      now(), false)`.execute(db);
  await writeFile(path.join(folder, "one.mp4"), "hello");
  await storage.put("outputs/one.mp4", path.join(folder, "one.mp4"));
}

describe("on PostgreSQL", () => {
  it("restores every row exactly, with its files, sequences and waiting tasks", async () => {
    const before = await open(openPostgresDatabase);
    await fill(before);

    const report = await backUpTo("backup", before);
    const after = await open(openWithoutTables);
    await restoreFrom("backup", after);

    const { job: tasks, ...content } = await contentOf(before);
    const { job: tasksAfter, ...contentAfter } = await contentOf(after);
    expect(contentAfter).toEqual(content);
    expect(content["jobs"]).toHaveLength(1);
    // Loading adds no history.
    expect(content["job_events"]).toHaveLength(1);
    expect(content["job_counts"]).not.toHaveLength(0);
    // The interrupted task waits for the same attempt.
    expect(tasks).toHaveLength(2);
    expect(tasksAfter).toHaveLength(2);
    const { rows } =
      await sql`select state::text, retry_count, priority, started_on from pgboss.job where name = 'videos'`.execute(
        after.db,
      );
    expect(rows).toEqual([{ state: "created", retry_count: 2, priority: -7, started_on: null }]);
    // An event that waited is sent, with its id.
    const { rows: waiting } = await sql`select task.state::text, url, event_id from pgboss.job task
      join outgoing_deliveries on outgoing_deliveries.id = task.id join webhooks on webhooks.id = webhook_id
      where task.name = 'webhooks'`.execute(after.db);
    const { id: event_id } = await before.db.selectFrom("outgoing_events").select("id").executeTakeFirstOrThrow();
    expect(waiting).toEqual([{ state: "created", url: "https://hooks.example/", event_id }]);
    expect(await readFile(path.join(folder, "restored/outputs/one.mp4"), "utf8")).toBe("hello");
    expect(report).toMatchObject({ files: { copied: 1, linked: 1, totalBytes: 5, missing: 0, damaged: [] } });
    // Sequences continue, and constraints and triggers work.
    const next = sql<{ id: number }>`insert into job_events (job_id, status) values (${JOB}, 'Failed') returning id`;
    const [{ id } = { id: 0 }] = (await next.execute(after.db)).rows;
    expect(id).toBe((await next.execute(before.db)).rows[0]!.id);
    await expect(
      sql`insert into job_events (job_id, status) values (gen_random_uuid(), 'x')`.execute(after.db),
    ).rejects.toThrow("foreign key");
    await sql`update jobs set status = 'Failed'`.execute(after.db);
    const { rows: events } = await sql`select from job_events where status = 'Failed'`.execute(after.db);
    expect(events).toHaveLength(2);
  });
});

it("preserves values of every type that a later migration may use, in an unknown table", async () => {
  const before = await open(openTestDatabase);
  const make = sql`create table later (
    id bigint primary key, at timestamptz, small real, big double precision, exact numeric, raw bytea, facts jsonb,
    facts_text json, days date, span interval, texts text[], times timestamptz[], on_off boolean, nothing text,
    doubled bigint generated always as (id / 2) stored)`;
  await make.execute(before.db);
  await sql`insert into later values
    (9223372036854775807, '2026-03-29 01:59:59.123456+00', 0.1, 0.30000000000000004, 123456789012345678901234567890.10,
      '\\x00ff00', '{"a": [1, null, "\\u00e9"]}', '{"b":  1}', '0044-03-15 BC', '1 mon -3 days 04:05:06.789',
      array['a', null, 'NULL'], array['infinity'::timestamptz, '1969-12-31 23:59:59.999999+00'], false, null),
    (-9223372036854775808, '-infinity', 'NaN', '-Infinity', 'NaN', '', 'null', 'null', 'infinity', '0', '{}', null, null, '')`.execute(
    before.db,
  );

  const report = await backUpTo("backup", before);
  const lines = (await contentOf(before))["later"]!;

  expect(report.tables).toBe((await listBackupTables(before.db)).length);
  const manifest = await readManifest(path.join(folder, "backup"));
  const kept = manifest.tables.find(({ name }) => name === "later")!;
  expect(kept.rows).toBe(2);
  expect(kept.columns.map(({ name }) => name)).not.toContain("doubled");
  // With the same statement as a restore.
  const after = await open(openTestDatabase);
  await make.execute(after.db);
  await after.db.transaction().execute((trx) => writeLines(trx, kept, kept.columns, lines));
  expect((await contentOf(after))["later"]).toEqual(lines);
});

it("pauses watch folders and posting, because both may have gone on since the backup", async () => {
  const before = await open(openTestDatabase);
  const fields = { name: "Drop", kind: "s3", place: "s3://clips/", job_name: "{folder}", grouping: "batch" } as const;
  const times = { interval_seconds: 60, settle_seconds: 30, existing: "take" } as const;
  await before.db
    .insertInto("watch_folders")
    .values({ ...fields, ...times })
    .execute();
  for (const kind of ["postiz", "sftp"] as const) {
    await before.db.insertInto("destinations").values({ kind, name: kind, settings: "{}" }).execute();
  }
  await backUpTo("backup", before);
  const after = await openEmpty();
  const { stopped } = await restoreFrom("backup", after);
  expect(stopped).toEqual({ watchFolders: 1, postizDestinations: 1 });
  const destinations = await after.db.selectFrom("destinations").select(["name", "enabled"]).orderBy("name").execute();
  expect(destinations).toEqual([
    { name: "postiz", enabled: false },
    { name: "sftp", enabled: true },
  ]);
  const folders = await after.db.selectFrom("watch_folders").select(["name", "paused_at", "pause_reason"]).execute();
  expect(folders).toEqual([
    { name: "Drop", paused_at: expect.any(String), pause_reason: expect.stringMatching(/^Restored from a backup\./) },
  ]);
});

it("ends sessions, voids emails, and counts what is valid again without a sign-in", async () => {
  const before = await open(openTestDatabase);
  await fill(before);
  await sql`insert into accounts (id, email, password_hash, new_email, disabled_at) values
    (${ACCOUNT}, 'ada@clips.test', 'x', 'new@clips.test', null), (${DISABLED}, 'off@clips.test', 'x', null, now())`.execute(
    before.db,
  );
  await sql`insert into sessions (account_id, method) values (${ACCOUNT}, 'password')`.execute(before.db);
  const token = { purpose: "email_change", email: "new@clips.test", passwordHash: null } as const;
  await issueMailToken(before.db, createCodeHasher(SECRET), { ...token, accountId: ACCOUNT });
  await sql`insert into api_tokens (account_id, name, scopes, digest, last4, expires_at) values
    (${ACCOUNT}, 'forever', '{sets}', 'a', 'a', null),
    (${ACCOUNT}, 'valid', '{sets}', 'b', 'b', now() + interval '1 day'),
    (${ACCOUNT}, 'expired', '{sets}', 'c', 'c', now() - interval '1 day'),
    (${DISABLED}, 'disabled', '{sets}', 'd', 'd', null)`.execute(before.db);
  await sql`insert into guest_links (job_id, digest, can_approve, expires_at, revoked_at) values
    (${JOB}, 'a', false, now() + interval '1 day', null), (${JOB}, 'b', false, now() + interval '1 day', now()),
    (${JOB}, 'c', false, now() - interval '1 day', null)`.execute(before.db);
  await backUpTo("backup", before);
  const after = await openEmpty();
  expect(await restoreFrom("backup", after)).toMatchObject({ access: { apiTokens: 2, guestLinks: 1 } });
  const sessions = await after.db.selectFrom("sessions").select("revoked_at").execute();
  expect(sessions).toEqual([{ revoked_at: expect.any(String) }]);
  expect(await after.db.selectFrom("mail_tokens").selectAll().execute()).toEqual([]);
  const accounts = await after.db.selectFrom("accounts").select("new_email").execute();
  expect(accounts).toEqual([{ new_email: null }, { new_email: null }]);
});

it("contains every table of the schema except those left out for a reason", async () => {
  const { db } = await open(openTestDatabase);
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(db);
  const kept = new Set((await listBackupTables(db)).map(({ name }) => name));

  expect(
    rows
      .map(({ name }) => name)
      .filter((name) => !kept.has(name))
      .toSorted(),
  ).toEqual(Object.keys(EXCLUDED_TABLES));
  expect(kept).toContain("accounts");
});

describe("an incomplete backup", () => {
  let before: Database;
  beforeEach(async () => {
    before = await open(openTestDatabase);
    await fill(before);
    await backUpTo("backup", before);
  });

  it("rejects a backup with one flipped bit in any table or the file list, and names the file", async () => {
    const after = await openEmpty();
    const tables = (await readdir(path.join(folder, "backup/tables"))).map((name) => `tables/${name}`);
    const lists = Array.from({ length: 5 }, () => "files.jsonl.gz");
    for (const [seed, name] of [...tables, ...lists].entries()) {
      const file = path.join(folder, "backup", name);
      const bytes = await readFile(file);
      await writeFile(file, flipBits(bytes, { seed, flips: 1 }));
      await expect(restoreFrom("backup", after)).rejects.toThrow(`The backup is damaged: ${name} does not`);
      await writeFile(file, bytes);
    }
    await restoreFrom("backup", after);
  });

  it("rejects a backup in which a file is missing or replaced", async () => {
    const after = await openEmpty();
    const stored = path.join(folder, "backup/files/outputs/one.mp4");
    await rm(stored);
    await expect(restoreFrom("backup", after)).rejects.toThrow("files/outputs/one.mp4 is missing");
    await writeFile(stored, "hellO");
    await expect(restoreFrom("backup", after)).rejects.toThrow("files/outputs/one.mp4 does not match its checksum");
    await rm(path.join(folder, "backup/tables/jobs.jsonl.gz"));
    await expect(restoreFrom("backup", after)).rejects.toThrow("tables/jobs.jsonl.gz is missing");
    await writeFile(path.join(folder, "backup/manifest.json"), "{}");
    await expect(restoreFrom("backup", after)).rejects.toThrow("manifest.json was changed after the backup");
    await unlink(path.join(folder, "backup/manifest.json"));
    await expect(restoreFrom("backup", after)).rejects.toThrow("does not contain a complete backup");
  });

  it("rejects a backup with a symbolic link to a file or folder, or a special file, and writes nothing", async () => {
    const after = await openEmpty();
    const backup = path.join(folder, "backup");
    const outside = path.join(folder, "outside");
    await mkdir(outside);
    for (const name of ["files/outputs/one.mp4", "files/outputs", "files", "tables/jobs.jsonl.gz", "manifest.json"]) {
      const original = path.join(outside, path.basename(name));
      await rename(path.join(backup, name), original);
      await symlink(original, path.join(backup, name));
      for (const skipsDamagedFiles of [false, true]) {
        await expect(restoreFrom("backup", after, { skipsDamagedFiles })).rejects.toThrow(
          `The backup contains ${name}, which is a symbolic link. Replace it with a copy of the original, then run this again. Nothing was restored.`,
        );
      }
      await rm(path.join(backup, name));
      await rename(original, path.join(backup, name));
    }
    const socket = createServer().listen(path.join(backup, "files/socket"));
    await once(socket, "listening");
    await expect(restoreFrom("backup", after)).rejects.toThrow("files/socket, which is neither a file nor a folder.");
    // Also removes the file.
    socket.close();
    expect(await readdir(path.join(folder, "restored"))).toEqual([".incoming"]);
    await requireFinished(after.db, "");
    // The backup itself may be reached through a link.
    await symlink(backup, path.join(folder, "latest"));
    await restoreFrom("latest", after);
  });

  it("skips a damaged file on request, and leaves it out of storage", async () => {
    await writeFile(path.join(folder, "backup/files/outputs/one.mp4"), "hellO");
    const report = await restoreFrom("backup", await openEmpty(), { skipsDamagedFiles: true });
    expect(report).toMatchObject({ files: { put: 0, damaged: ["outputs/one.mp4"] }, absentFiles: 1 });
  });

  it("rejects a secret that cannot open the sealed values, unless it is lost, and leaves the database empty", async () => {
    const after = await openEmpty();
    const other = "another secret that is long enough too";
    await expect(restoreFrom("backup", after, { secret: other })).rejects.toThrow("made with a different secret");
    await expect(restoreFrom("backup", after, { secret: null })).rejects.toThrow("made with a different secret");
    await keepSecretFingerprint(before, SECRET);
    await backUpTo("with a fingerprint", before);
    await expect(restoreFrom("with a fingerprint", after, { secret: other })).rejects.toThrow(
      "with a different secret",
    );
    await restoreFrom("backup", after, { secret: null, isSecretLost: true });
  });

  it("does not back up if the secret is missing, or another database's", async () => {
    await keepSecretFingerprint(before, SECRET);
    const file = path.join(folder, "app-secret");
    await writeFile(file, "another secret that is long enough too");
    for (const secret of [{ files: [] }, { files: [file] }, { current: "another one", previous: [] }]) {
      await expect(backUpTo("second", before, secret)).rejects.toThrow("secret is not available");
      expect(await readdir(path.join(folder, "second"))).toEqual([]);
    }
    await writeFile(file, SECRET);
    expect((await backUpTo("second", before, { files: [file] })).secrets).toMatchObject({ appSecret: "held" });
  });

  it("leaves no marker on a database after a failed restore", async () => {
    const after = await openEmpty();
    await writeFile(path.join(folder, "backup/files/outputs/one.mp4"), "hellO");
    await expect(restoreFrom("backup", after)).rejects.toThrow("does not match its checksum");
    await requireFinished(after.db, "");
  });

  it("drops the tasks of an installation whose tables were dropped", async () => {
    const after = await openEmpty();
    await restoreFrom("backup", after);
    await sql`update pgboss.job set id = gen_random_uuid()`.execute(after.db);
    await sql`drop schema public cascade`.execute(after.db);
    await sql`create schema public`.execute(after.db);
    await restoreFrom("backup", after);
    const { rows } = await sql`select id from pgboss.job where name = 'videos'`.execute(after.db);
    expect(rows).toEqual([{ id: VIDEO }]);
  });

  it("reports a disk that fills up during a backup, and leaves nothing on it", async ({ skip }) => {
    const disk = path.join(folder, "disk");
    await mkdir(disk);
    if (!mountSmallDisk(disk)) return skip("this process may not mount a disk");
    try {
      await writeFile(path.join(folder, "one.mp4"), Buffer.alloc(2_000_000));
      await storage.put("outputs/one.mp4", path.join(folder, "one.mp4"));
      await expect(backUpTo("disk", before)).rejects.toThrow(`The disk that holds ${disk} is full.`);
      expect(await readdir(disk)).toEqual([]);
    } finally {
      unmountSmallDisk(disk);
    }
  });

  it("keeps its marker when the disk fills up during a restore, and restores everything once there is space", async ({
    skip,
  }) => {
    await writeFile(path.join(folder, "one.mp4"), Buffer.alloc(2_000_000));
    await storage.put("outputs/one.mp4", path.join(folder, "one.mp4"));
    await backUpTo("second", before);
    const disk = path.join(folder, "restored");
    await mkdir(disk);
    if (!mountSmallDisk(disk)) return skip("this process may not mount a disk");
    const after = await openEmpty();
    try {
      await expect(restoreFrom("second", after)).rejects.toThrow("is full. ");
    } finally {
      unmountSmallDisk(disk);
    }
    await expect(requireFinished(after.db, "remove it")).rejects.toThrow(
      "`clipmill restore` has not finished on this installation",
    );
    await restoreFrom("second", after);
    await requireFinished(after.db, "");
  });

  it("contains the target of a symbolic link, not the link", async () => {
    const stored = path.join(folder, "files/outputs/one.mp4");
    await rename(stored, path.join(folder, "elsewhere.mp4"));
    await symlink("../../elsewhere.mp4", stored);
    expect((await backUpTo("second", before)).files).toMatchObject({ copied: 1, missing: 0, damaged: [] });
    expect((await lstat(path.join(folder, "second/files/outputs/one.mp4"))).isFile()).toBe(true);
  });

  it("does not back up the database of a newer version", async () => {
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030')`.execute(before.db);
    await expect(backUpTo("second", before)).rejects.toThrow("created by a newer version");
  });

  it("rejects a database that is not empty", async () => {
    await expect(restoreFrom("backup", before)).rejects.toThrow("The database is not empty");
  });

  it("backs up only into an empty folder, or one with an interrupted backup", async () => {
    await expect(backUpTo("backup", before)).rejects.toThrow("is not empty");
    await unlink(path.join(folder, "backup/manifest.json"));
    await writeFile(path.join(folder, "backup/clipmill-backup-unfinished"), "");
    await writeFile(path.join(folder, "backup/thesis.txt"), "somebody's own");
    await expect(backUpTo("backup", before)).rejects.toThrow("is not empty");
    await unlink(path.join(folder, "backup/thesis.txt"));
    const both = await Promise.allSettled([backUpTo("backup", before), backUpTo("backup", before)]);
    const rejected = both.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
    expect(rejected).toEqual([expect.stringContaining("Another backup to")]);
    await restoreFrom("backup", await openEmpty());
  });

  it("reports missing and damaged files, and backs up the rest", async () => {
    await writeFile(path.join(folder, "files/outputs/one.mp4"), "hello, but longer");
    expect((await backUpTo("second", before)).files).toMatchObject({ copied: 1, damaged: ["outputs/one.mp4"] });
    await storage.removeAll("outputs/one.mp4");
    expect((await backUpTo("third", before)).files).toMatchObject({ copied: 0, missing: 1 });
    expect(await restoreFrom("third", await openEmpty())).toMatchObject({ absentFiles: 1 });
  });
});
