import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { EVENT_TYPES, type JobEventData } from "#contract/webhooks/webhooks.ts";
import { startSending } from "./send-events.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { testFailure } from "#tests/support/test-failure.ts";
import { type MailServer, startMailServer } from "#tests/support/twins/mail-server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "#tests/support/twins/webhook-receiver.ts";
import { verifyEvent } from "#tests/support/verify-event.ts";
import { cancelJob } from "#operations/jobs/cancel-job.ts";
import { createJob } from "#operations/jobs/create/create-job.ts";
import { planOutputs } from "#operations/jobs/create/plan-outputs.ts";
import { approveProof } from "#operations/jobs/proof/approve-proof.ts";
import { retryJob } from "#operations/jobs/retry-job.ts";
import { claimVideo } from "#operations/jobs/videos/claim-video.ts";
import { completeOutput } from "#operations/jobs/videos/complete-output.ts";
import { endVideo, type VideoEnd } from "#operations/jobs/videos/end-video.ts";
import { addWebhook } from "#operations/webhooks/add-webhook.ts";
import { endOutdatedMails } from "#operations/outgoing/end-sendings.ts";
import { openQueue } from "#queue/open-queue.ts";
import { enqueuePending, writeEvent } from "#operations/outgoing/write-event.ts";

const LINK = "https://drive.google.com/file/d/abc/view";

describe("events", () => {
  let receiver: WebhookReceiver;
  let inbox: MailServer;
  let server: TestServer;
  let accountId: string;
  let secret: string;

  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    inbox = await startMailServer();
    server = await startTestServer(undefined, {
      openDatabase: openPostgresDatabase,
      privateWebhooks: [receiver.authority],
      mailer: inbox.mailer,
      publicUrl: "https://clips.test",
    });
    accountId = (await server.client.auth.getUser()).data.user!.id;
  });
  afterAll(async () => {
    await server.close();
    await receiver.close();
    await inbox.close();
  });
  beforeEach(async () => {
    await sql`delete from webhooks`.execute(server.context.db);
    await sql`delete from outgoing_events`.execute(server.context.db);
    ({ secret } = await addWebhook(server.context, { url: receiver.url, events: EVENT_TYPES }));
    receiver.received.length = 0;
    inbox.mails.length = 0;
    await server.client.auth.updateUser({ data: { mail_on_job_end: null } });
  });

  const received = (jobId: string) =>
    receiver.received.filter(({ event }) => event.data["job_id"] === jobId).map(({ event }) => event);
  const typesOf = (jobId: string) =>
    received(jobId)
      .map(({ type }) => type)
      .toSorted();

  async function create(request: object = {}) {
    const job = await createJob(server.context, { job_name: "Spring", input_videos: [LINK], ...request }, accountId);
    const videos = await server.context.db
      .selectFrom("job_videos")
      .select(["id as videoId", "job_id as jobId"])
      .where("job_id", "=", job.id)
      .orderBy("position")
      .execute();
    const tasks = videos.map(({ videoId, jobId }, startTag) => ({ videoId, jobId, startTag }));
    return { job, tasks };
  }

  async function make(task: { videoId: string; jobId: string; startTag: number }, attempt: number, end: VideoEnd) {
    await sql`update pgboss.job set state = 'completed' where id = ${task.videoId}`.execute(server.context.db);
    expect(await claimVideo(server.context, task, attempt)).not.toBeNull();
    const plan = { ...task, attempt, name: "clip.mp4", durationSeconds: 10 };
    const outputs = [{ variant: 0, segment: 0, name: `${task.startTag}.mp4`, caption: null, track: null }];
    const key = randomUUID();
    if (end.status !== "Failed") {
      for (const { id } of (await planOutputs(server.context, plan, outputs))!) {
        const file = {
          ...{ id, warnings: [], contentKey: key, storageKey: key, thumbnailKey: key, cover: null, conformance: null },
          ...{ durationSeconds: 10, width: 90, height: 160, sizeBytes: 7, crc32: 1, sha256: "ab" },
        };
        await completeOutput(server.context, { ...task, attempt }, file);
        // A lost response: recorded twice, it is one event.
        await completeOutput(server.context, { ...task, attempt }, file);
      }
    }
    await endVideo(server.context, { ...task, attempt }, end);
  }

  const publish = (data: Record<string, unknown> = {}) =>
    server.context.db
      .transaction()
      .execute((trx) =>
        writeEvent(server.context, trx, { type: "published", timestamp: new Date().toISOString(), data, jobId: null }),
      );

  const fail = { status: "Failed", failure: testFailure("The network is down.") } as const;

  it("tell what becomes of a job", async () => {
    const { job, tasks } = await create({ input_videos: [LINK, LINK] });
    await make(tasks[0]!, 1, { status: "Completed" });
    await make(tasks[1]!, 1, fail);
    await expect.poll(() => typesOf(job.id)).toEqual(["job.completed", "job.started", "output.completed"]);
    const completed = received(job.id).find(({ type }) => type === "job.completed");
    expect(completed!.data).toEqual({
      job_id: job.id,
      job_name: "Spring",
      status: "Completed",
      total_videos: 2,
      files: 1,
      error_message: expect.stringContaining("The network is down."),
    } satisfies JobEventData);
    const output = received(job.id).find(({ type }) => type === "output.completed");
    expect(output!.data).toMatchObject({ name: "0.mp4", position: 0, variant: 0, size_bytes: 7, sha256: "ab" });
    for (const request of receiver.received) {
      expect(verifyEvent(secret, request)).toEqual(request.event);
      expect(Math.abs(Date.parse(request.event.timestamp) - Date.now())).toBeLessThan(60_000);
    }
    await retryJob(server.context, job.id);
    await cancelJob(server.context, job.id);
    await expect.poll(() => typesOf(job.id)).toContain("job.cancelled");
    const failed = await create();
    await make(failed.tasks[0]!, 1, fail);
    await expect.poll(() => typesOf(failed.job.id)).toEqual(["job.failed", "job.started"]);
  });

  it("tell that samples wait for approval", async () => {
    const { job, tasks } = await create({ input_videos: [LINK, LINK], proof_count: 1 });
    await make(tasks[0]!, 1, { status: "Sampled", share: 1 });
    await expect.poll(() => typesOf(job.id)).toEqual(["job.proof_ready", "job.started", "output.completed"]);
    const ready = received(job.id).find(({ type }) => type === "job.proof_ready");
    expect(ready!.data).toMatchObject({ status: "Processing", files: 1 });
    await approveProof(server.context, job.id);
    await cancelJob(server.context, job.id);
    await expect.poll(() => typesOf(job.id)).toContain("job.cancelled");
  });

  it("stay below 20 kB", async () => {
    const { job } = await create({ job_name: "é".repeat(100) });
    const long = JSON.stringify("\u0001".repeat(100_000));
    await sql`update jobs set error_message = ${long}::jsonb #>> '{}' where id = ${job.id}`.execute(server.context.db);
    await cancelJob(server.context, job.id);
    await sql`delete from outgoing_events`.execute(server.context.db);
    const { tasks, job: other } = await create();
    await make(tasks[0]!, 1, { status: "Failed", failure: testFailure("\u{1F600}\u0007".repeat(5_000)) });
    await expect.poll(() => typesOf(other.id)).toContain("job.failed");
    for (const { body } of receiver.received) expect(Buffer.byteLength(body)).toBeLessThan(20_000);
  });

  it("are not written if the change is not", async () => {
    const written = server.context.db.transaction().execute(async (trx) => {
      await writeEvent(server.context, trx, {
        type: "published",
        timestamp: new Date().toISOString(),
        data: {},
        jobId: null,
      });
      throw new Error("The change failed.");
    });
    await expect(written).rejects.toThrow("The change failed.");
    expect(await server.context.db.selectFrom("outgoing_events").select("id").execute()).toEqual([]);
  });

  it("are sent again, with the same id, after the server that was sending them was killed", async () => {
    const { db } = server.context;
    const responses: (() => void)[] = [];
    receiver.respond((_, response) => void responses.push(() => response.writeHead(503).end()));
    await publish();
    await expect.poll(() => receiver.received.length).toBe(1);
    // Simulates a kill and the next start of the only process.
    await (await openQueue({ ...server.database, isEmbedded: true }, () => {})).stop();
    await expect.poll(() => receiver.received.length).toBe(2);
    expect(receiver.received[1]!.id).toBe(receiver.received[0]!.id);
    // The failure of the first attempt, whose claim is lost, is not recorded.
    responses[0]!();
    receiver.respond((_, response) => void response.writeHead(204).end());
    responses[1]!();
    const read = () => db.selectFrom("outgoing_deliveries").select(["status", "attempts"]).execute();
    await expect.poll(read).toMatchObject([{ status: "pending", attempts: [{ status: 503 }] }]);
  });

  it("are sent if they were waiting before the upgrade, at their time", async () => {
    const { db } = server.context;
    const insert = (dueInHours: number) =>
      sql`
      with event as (insert into outgoing_events (type, body) values ('published', '{}') returning id)
      insert into outgoing_deliveries (event_id, webhook_id, due_at)
      select event.id, webhooks.id, now() + make_interval(hours => ${dueInHours}) from event, webhooks`.execute(db);
    await insert(1);
    await insert(-1);
    await enqueuePending(server.context);
    await enqueuePending(server.context);
    const statuses = () => db.selectFrom("outgoing_deliveries").select("status").orderBy("due_at").execute();
    await expect.poll(statuses).toEqual([{ status: "delivered" }, { status: "pending" }]);
    expect(receiver.received).toHaveLength(1);
    const { rows } = await sql`select round(extract(epoch from start_after - now()) / 60)::int as minutes
      from pgboss.job where name = 'webhooks' and state = 'created'
      and id in (select id from outgoing_deliveries)`.execute(db);
    expect(rows).toEqual([{ minutes: 60 }]);
  });

  it("are shared by three servers, each delivered once", async () => {
    const log = pino({ level: "silent" });
    for (let n = 0; n < 2; n += 1) {
      const queue = await openQueue(server.database, () => {});
      const context = { ...server.context, queue, mailer: null, publicUrl: null, log };
      const other = await startSending(context);
      onTestFinished(async () => {
        await other.stop();
        await queue.stop();
      });
    }
    await Promise.all(Array.from({ length: 60 }, (_, n) => publish({ n })));
    await expect
      .poll(async () => {
        const rows = server.context.db
          .selectFrom("outgoing_deliveries")
          .select("id")
          .where("status", "<>", "delivered");
        return (await rows.execute()).length;
      })
      .toBe(0);
    expect(receiver.received.map((one) => one.event.data["n"] as number).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 60 }, (_, n) => n),
    );
  });

  it("end as mails that could not be sent for 84 hours, even without a mail server", async () => {
    const { db } = server.context;
    const writeMail = async (hoursAgo: number, dueInHours: number) => {
      const { rows } = await sql<{ id: string }>`
        with event as (insert into outgoing_events (type, body) values ('job.failed', '{}') returning id)
        insert into outgoing_deliveries (event_id, account_id, created_at, due_at)
        select id, ${accountId}, now() - make_interval(hours => ${hoursAgo}), now() + make_interval(hours => ${dueInHours})
        from event returning id`.execute(db);
      return rows[0]!.id;
    };
    const [old, later, oldAndWaiting] = [await writeMail(85, -1), await writeMail(83, 1), await writeMail(85, 1)];
    await enqueuePending(server.context);
    const states = async () => {
      const rows = await db.selectFrom("outgoing_deliveries").select(["id", "status"]).execute();
      return Object.fromEntries(rows.map(({ id, status }) => [id, status]));
    };
    await expect.poll(states).toEqual({ [old]: "failed", [later]: "pending", [oldAndWaiting]: "pending" });
    await endOutdatedMails(server.context);
    expect(await states()).toEqual({ [old]: "failed", [later]: "pending", [oldAndWaiting]: "failed" });
    const { rows } = await sql<{ id: string }>`
      select id from pgboss.job where name = 'mails' and state < 'active'`.execute(db);
    expect(rows).toEqual([{ id: later }]);
    expect(inbox.mails).toEqual([]);
    await sql`delete from pgboss.job where name = 'mails'`.execute(db);
  });

  it("send one mail when a job ends or waits for approval, to the account that created it and wants it", async () => {
    const unwanted = await create();
    await make(unwanted.tasks[0]!, 1, { status: "Completed" });
    await server.client.auth.updateUser({ data: { mail_on_job_end: true } });
    const { job, tasks } = await create({ input_videos: [LINK, LINK], proof_count: 1 });
    await make(tasks[0]!, 1, { status: "Sampled", share: 1 });
    await expect.poll(() => inbox.mails.map(({ subject }) => subject)).toEqual(["Spring needs approval"]);
    expect(inbox.mails[0]).toMatchObject({
      to: "operator@clipmill.local",
      text: expect.stringContaining(`https://clips.test/jobs/${job.id}`),
    });
    const failing = await create();
    await make(failing.tasks[0]!, 1, fail);
    await expect.poll(() => inbox.mails.map(({ subject }) => subject)).toContain("Spring failed");
    await retryJob(server.context, failing.job.id);
    await make(failing.tasks[0]!, 2, fail);
    const completed = await create();
    await make(completed.tasks[0]!, 1, { status: "Completed" });
    await expect.poll(() => inbox.mails.map(({ subject }) => subject)).toContain("Spring completed");
    // The job that failed twice is one mail.
    expect(inbox.mails).toHaveLength(3);
    expect(inbox.mails.at(-1)!.text).toContain("The job has completed with 1 file.");
  });
});
