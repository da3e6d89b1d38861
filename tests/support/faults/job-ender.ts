/** Ends any job as workers do, without rendering, and sends events as servers do, until it is killed. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { pino } from "pino";
import { openDatabase } from "#database/open-database.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "#operations/context.ts";
import { planOutputs } from "#operations/jobs/create/plan-outputs.ts";
import { claimVideo } from "#operations/jobs/videos/claim-video.ts";
import { completeOutput } from "#operations/jobs/videos/complete-output.ts";
import { endVideo } from "#operations/jobs/videos/end-video.ts";
import { createSecretBox } from "#operations/settings/secret-box.ts";
import { openQueue } from "#queue/open-queue.ts";
import { startSending } from "#server/tasks/send-events.ts";

const [, , databaseUrl, appSecret, receiver] = process.argv as [string, string, string, string, string];
/** Free as soon as the process that holds it is dead. */
const LOCK = "pg_try_advisory_lock(hashtextextended(job_videos.id::text, 1))";

const database = await openDatabase({ databaseUrl, dataDir: null });
const secrets = createSecretBox(appSecret);
const queue = await openQueue(database, () => {});
const sending = {
  db: database.db,
  queue,
  secrets,
  privateWebhooks: [receiver],
  mailer: null,
  publicUrl: null,
  log: pino({ level: "silent" }),
};
await startSending(sending);
process.stdout.write("ready\n");
for (;;) {
  // A lock belongs to a connection.
  const isIdle = await database.db.connection().execute(endNextVideo);
  if (isIdle) await delay(20);
}

async function endNextVideo(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ videoId: string; jobId: string; attempts: number }>`
    select id as "videoId", job_id as "jobId", attempts from job_videos
    where status in ('Queued', 'Processing') and ${sql.raw(LOCK)} limit 1`.execute(db);
  const [video] = rows;
  if (!video) return true;
  const context = { db: database.db, queue } as Context;
  const attempt = video.attempts + 1;
  if (await claimVideo(context, { ...video, startTag: 0 }, attempt)) await end(context, { ...video, attempt });
  await sql`select pg_advisory_unlock_all()`.execute(db);
  return false;
}

async function end(context: Context, video: { videoId: string; jobId: string; attempt: number }): Promise<void> {
  const file = { name: "clip.mp4", durationSeconds: 1 };
  const outputs = [0, 1].map((variant) => ({
    variant,
    segment: 0,
    name: `${variant}.mp4`,
    caption: null,
    track: null,
  }));
  for (const { id } of (await planOutputs(context, { ...video, ...file }, outputs)) ?? []) {
    const key = randomUUID();
    await completeOutput(context, video, {
      ...{
        id,
        warnings: [],
        contentKey: key,
        storageKey: key,
        thumbnailKey: key,
        cover: null,
        conformance: null,
        sha256: null,
      },
      ...{ durationSeconds: 1, width: 90, height: 160, sizeBytes: 1, crc32: 1 },
    });
  }
  await endVideo(context, video, { status: "Completed" });
}
