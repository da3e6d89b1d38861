import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import type { Queue } from "#queue/open-queue.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { retryCaptionBatch } from "../captions/batches/retry-caption-batch.ts";
import { startCaptionBatch } from "../captions/batches/start-caption-batch.ts";
import type { ActorContext } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { createJob } from "../jobs/create/create-job.ts";
import { retryJob } from "../jobs/retry-job.ts";
import { saveServiceKey } from "../settings/service-key.ts";
import { deleteLibraryFile } from "./change-library-file.ts";

const NEEDED_BY_JOB = "A running or waiting job needs this file: A job. Cancel the job or wait until it ends.";
const NEEDED_BY_CAPTIONS = "Caption Lab is still using this file. Cancel the captions or wait until they are done.";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer(undefined, { openDatabase: openPostgresDatabase });
  await saveServiceKey(server.context, "openai_key", "sk-a-key-of-some-length");
});
afterAll(() => server.close());

const VIDEO = "https://drive.google.com/file/d/abc/view";
const jobWithImage = (link: string) => ({
  ...{ job_name: "A job", input_videos: [VIDEO] },
  ...{ watermark_enabled: true, watermark_image: link },
});
const job = (link: string) => ({ job_name: "A job", input_videos: [link] });

async function createFailedJob(link: string, body = job(link)): Promise<string> {
  const { id } = await createJob(server.context, body, null);
  await failAll();
  return id;
}

async function startBatch(context: Context & ActorContext, link: string): Promise<string> {
  const { id } = await context.db.selectFrom("accounts").select("id").executeTakeFirstOrThrow();
  return startCaptionBatch(context, [link], id);
}

async function startFailedBatch(link: string): Promise<string> {
  const id = await startBatch(server.context, link);
  await failAll();
  return id;
}

async function failAll(): Promise<void> {
  const { db } = server.context;
  await sql`update pgboss.job set state = 'failed'`.execute(db);
  for (const table of ["jobs", "job_videos", "caption_tasks"] as const) {
    await sql`update ${sql.table(table)} set status = 'Failed'`.execute(db);
  }
}

/** With preparation. */
const OPERATIONS: [
  string,
  {
    prepare?: (link: string) => Promise<string>;
    begin: (context: Context & ActorContext, of: string) => Promise<unknown>;
  },
  string,
][] = [
  ["a job being created", { begin: (context, link) => createJob(context, job(link), null) }, NEEDED_BY_JOB],
  ["a job being tried again", { prepare: createFailedJob, begin: retryJob }, NEEDED_BY_JOB],
  ["an image's job being created", { begin: (of, link) => createJob(of, jobWithImage(link), null) }, NEEDED_BY_JOB],
  [
    "an image's job being tried again",
    { prepare: (link) => createFailedJob(link, jobWithImage(link)), begin: retryJob },
    NEEDED_BY_JOB,
  ],
  [
    "a job with this end card being created",
    { begin: (of, link) => createJob(of, { ...job(VIDEO), outro_link: link }, null) },
    NEEDED_BY_JOB,
  ],
  ["captions being begun", { begin: startBatch }, NEEDED_BY_CAPTIONS],
  ["captions being tried again", { prepare: startFailedBatch, begin: retryCaptionBatch }, NEEDED_BY_CAPTIONS],
];

it.each(OPERATIONS)("protects a file that %s needs from a concurrent delete", async (what, how, rejection) => {
  const { context } = server;
  const id = what.replaceAll(/\W/g, "-");
  const facts = { size_bytes: 1, duration_seconds: 1, is_sample: false };
  await context.db
    .insertInto("library_files")
    .values({ id, name: "x", kind: what.includes("image") ? "image" : "video", storage_key: `library/${id}`, ...facts })
    .execute();
  const of = (await how.prepare?.(libraryLink(id))) ?? libraryLink(id);
  // The operation pauses before its end until the delete has arrived.
  const reached = Promise.withResolvers<void>();
  const proceed = Promise.withResolvers<void>();
  const pause = async (): Promise<void> => {
    reached.resolve();
    await proceed.promise;
  };
  const queue: Queue = {
    ...context.queue,
    videos: {
      ...context.queue.videos,
      enqueue: async (...tasks) => {
        await pause();
        await context.queue.videos.enqueue(...tasks);
      },
    },
    captions: {
      ...context.queue.captions,
      enqueue: async (...tasks) => {
        await pause();
        await context.queue.captions.enqueue(...tasks);
      },
    },
  };
  const beginning = how.begin({ ...context, queue }, of);
  await reached.promise;
  let hasResponded = false;
  const deleting = deleteLibraryFile(context, id)
    .then(
      () => "deleted",
      (error: Error) => error.message,
    )
    .finally(() => (hasResponded = true));
  const waiting = async () => {
    const query = sql<{ count: number }>`select count(*)::int from pg_stat_activity where wait_event_type = 'Lock'`;
    return (await query.execute(context.db)).rows[0]!.count;
  };
  await expect.poll(async () => hasResponded || (await waiting()) > 0, { timeout: 20_000 }).toBe(true);
  proceed.resolve();
  await beginning;
  expect(await deleting).toBe(rejection);
  expect(await context.db.selectFrom("library_files").select("id").where("id", "=", id).execute()).toHaveLength(1);
});
