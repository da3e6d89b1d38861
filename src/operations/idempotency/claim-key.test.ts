import { sql } from "kysely";
import { expect, it } from "vitest";
import { migrate } from "#database/migrate.ts";
import { openWithoutTables } from "#tests/support/servers/databases/database.ts";
import { claimKey, claimKeyForJob } from "./claim-key.ts";

it("jobs from before the migration keep their keys, in their account", async () => {
  const database = await openWithoutTables();
  const { db } = database;
  await migrate(db, "0058-places-of-deliveries");
  const addAccount = async (email: string) =>
    (
      await sql<{ id: string }>`insert into accounts (email, password_hash) values (${email}, '') returning id`.execute(
        db,
      )
    ).rows[0]!.id;
  const [mine, theirs] = [await addAccount("mine@clips.test"), await addAccount("theirs@clips.test")];
  const { rows } = await sql<{ id: string }>`
    insert into jobs (job_name, input_videos, captions_enabled, custom_captions, audio_enabled, custom_audio_links,
      audio_mode, watermark_enabled, variants_per_video, video_gain, music_gain, loop_audio, segment_duration,
      download_enabled, total_videos, created_by)
    values ('Job', '{a}', false, '{}', false, '{}', 'replace', false, 1, 1, 1, true, 30, true, 1, ${mine})
    returning id`.execute(db);
  await sql`insert into job_requests (idempotency_key, digest, job_id) values ('a', 'same', ${rows[0]!.id})`.execute(
    db,
  );
  const responses = [
    ["a", mine, "{}"],
    ["a", theirs, "{}"],
    ["set", mine, "kept"],
    ["killed", mine, null],
  ];
  for (const [key, account, response] of responses) {
    await sql`insert into idempotent_requests (account_id, idempotency_key, digest, answer)
      values (${account}, ${key}, 'request', ${response})`.execute(db);
  }
  await migrate(db);
  const claim = (accountId: string, key: string, digest = "same") =>
    db.transaction().execute((trx) => claimKeyForJob(trx, { accountId, key, digest }));
  expect(await claim(mine, "a")).toBe(rows[0]!.id);
  await expect(claim(mine, "a", "another")).rejects.toMatchObject({ code: "key_reused" });
  // Their request had returned my job.
  expect(await claim(theirs, "a")).toBeNull();
  expect(await claim(mine, "killed")).toBeNull();
  expect(await claimKey(db, { accountId: mine, key: "set", digest: "request" })).toEqual({ response: "kept" });
  await database.close();
});
