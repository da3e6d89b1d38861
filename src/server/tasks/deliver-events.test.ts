import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { EVENT_TYPES, type JobEventData } from "#contract/webhooks/webhooks.ts";
import { startDelivering } from "./deliver-events.ts";
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
import { claimWebhooks, isAnyPending } from "#operations/outgoing/claim-deliveries.ts";
import { DELIVERIES_CHANNEL, writeEvent } from "#operations/outgoing/write-event.ts";

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
          ...{ id, warnings: [], contentKey: key, storageKey: key, thumbnailKey: key, conformance: null },
          ...{ durationSeconds: 10, width: 90, height: 160, sizeBytes: 7, crc32: 1, sha256: "ab" },
        };
        await completeOutput(server.context, { ...task, attempt }, file);
        // An answer that was lost: recorded twice, it is one event.
        await completeOutput(server.context, { ...task, attempt }, file);
      }
    }
    await endVideo(server.context, { ...task, attempt }, end);
  }

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
      await writeEvent(trx, { type: "published", timestamp: new Date().toISOString(), data: {}, jobId: null });
      throw new Error("The change failed.");
    });
    await expect(written).rejects.toThrow("The change failed.");
    expect(await server.context.db.selectFrom("outgoing_events").select("id").execute()).toEqual([]);
  });

  it("are delivered again, with the same id, after the server that was sending them was killed", async () => {
    const answers: (() => void)[] = [];
    receiver.answer((_, response) => void answers.push(() => response.writeHead(204).end()));
    await server.context.db.transaction().execute(async (trx) => {
      await writeEvent(trx, { type: "published", timestamp: new Date().toISOString(), data: {}, jobId: null });
    });
    // Claimed, and never recorded.
    await expect.poll(() => receiver.received.length).toBe(1);
    const claims = (clock: () => number) => claimWebhooks(server.context, clock, { most: 4, inFlight: {} });
    expect(await claims(() => 0)).toEqual([]);
    const [again] = await claims(() => 31);
    expect(again).toMatchObject({ eventId: receiver.received[0]!.id, number: 2 });
    receiver.answer((_, response) => void response.writeHead(204).end());
    for (const answer of answers) answer();
    await expect
      .poll(() => server.context.db.selectFrom("outgoing_deliveries").select("status").execute())
      .toEqual([{ status: "delivered" }]);
  });

  it("are shared by three servers, each delivered once", async () => {
    const context = { ...server.context, mailer: null, publicUrl: null, log: { error: () => {} } as never };
    const others = await Promise.all(
      [1, 2].map(() => startDelivering(context, { ...server.database, isEmbedded: false })),
    );
    onTestFinished(async () => void (await Promise.all(others.map((one) => one.stop()))));
    const write = (n: number) =>
      server.context.db
        .transaction()
        .execute((trx) => writeEvent(trx, { type: "published", timestamp: "", data: { n }, jobId: null }));
    await Promise.all(Array.from({ length: 60 }, (_, n) => write(n)));
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

  it("end as mails that could not be sent for 84 hours, and without a mail server, nothing waits for them", async () => {
    const { db } = server.context;
    const writeMail = async (hoursAgo: number, dueInHours: number) => {
      const { rows } = await sql<{ id: string }>`
        with event as (insert into outgoing_events (type, body) values ('job.failed', '{}') returning id)
        insert into outgoing_deliveries (event_id, account_id, created_at, due_at)
        select id, ${accountId}, now() - make_interval(hours => ${hoursAgo}), now() + make_interval(hours => ${dueInHours})
        from event returning id`.execute(db);
      return rows[0]!.id;
    };
    const [old, later] = [await writeMail(85, -1), await writeMail(83, 1)];
    await sql`select pg_notify(${DELIVERIES_CHANNEL}, '')`.execute(db);
    const states = () => db.selectFrom("outgoing_deliveries").select(["id", "status"]).orderBy("status").execute();
    await expect.poll(states).toEqual([
      { id: old, status: "failed" },
      { id: later, status: "pending" },
    ]);
    expect(inbox.mails).toEqual([]);
    expect(await isAnyPending(server.context, false)).toBe(false);
    expect(await isAnyPending(server.context, true)).toBe(true);
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
