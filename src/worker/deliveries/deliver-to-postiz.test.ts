import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Posting } from "#contract/destinations/destinations.ts";
import { addConnection } from "#operations/connections/change-connection.ts";
import { testConnection } from "#operations/connections/test-connection.ts";
import { changeDelivery } from "#operations/deliveries/change-delivery.ts";
import { deliverJob } from "#operations/deliveries/start-deliveries.ts";
import { listDeliveries } from "#operations/deliveries/list-deliveries.ts";
import { listChannels } from "#operations/destinations/postiz/list-channels.ts";
import { testDestination } from "#operations/destinations/test-destination.ts";
import { addTestDestination, delivered } from "#tests/support/deliveries/deliveries.ts";
import { completeJob } from "#tests/support/jobs/completed-job.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";
import { type PostizTwin, startPostizTwin } from "#tests/support/twins/stores/postiz-twin.ts";

const CHANNELS = [
  { id: "cm4tiktok", name: "Clips", service: "tiktok" },
  { id: "cm4youtube", name: "Shorts", service: "youtube" },
];

let twin: PostizTwin;
let worker: TestWorker;

beforeEach(async () => {
  twin = await startPostizTwin();
  worker = await openTestWorker({ hosts: { privateSources: [twin.authority] } });
});
afterEach(async () => {
  await worker[Symbol.asyncDispose]();
  await twin.close();
});

async function addPostiz(posting: Partial<Posting> = {}, more: object = {}) {
  const connection = await addConnection(worker.context, { name: "Posts", ...twin.fields, ...more });
  const place = { kind: "postiz", place: "", connection_id: connection.id } as const;
  const destination = await addTestDestination(worker.context, {
    ...place,
    posting: { mode: "draft", channels: CHANNELS, ...posting },
  });
  return { connection, destination };
}

async function completeCaptioned(captions: (string | null)[], destinations: string[]) {
  const job = await completeJob(worker.context, worker.folder, { sizes: captions.map((_, i) => 1000 * (i + 1)) });
  for (const [variant, caption] of captions.entries()) {
    await worker.context.db
      .updateTable("job_outputs")
      .set({ caption })
      .where("job_id", "=", job.id)
      .where("variant", "=", variant)
      .execute();
  }
  for (const id of destinations) await deliverJob(worker.context, { job_id: job.id, destination_id: id });
  return job;
}

it("posts nothing once its destination is turned off", async () => {
  const { destination } = await addPostiz();
  const job = await completeCaptioned(["One"], [destination.id]);
  await worker.context.db.updateTable("destinations").set({ enabled: false }).execute();
  await worker.start();
  expect(await delivered(worker.context, job.id)).toMatchObject({
    ...{ status: "Failed", delivered: 0 },
    error_message: "This destination is turned off. Turn it on in Settings, then retry.",
  });
  expect(twin.posts).toEqual([]);
});

it("makes a draft of each file in every channel, at free times, with the caption as its text", async () => {
  const { destination } = await addPostiz();
  await worker.start();
  const job = await completeCaptioned(["One & only\nsecond line", null], [destination.id]);
  expect(await delivered(worker.context, job.id)).toMatchObject({ status: "Completed", files: 2, delivered: 2 });
  expect(twin.posts.map(({ type, channel, content, sha256 }) => [type, channel, content, sha256])).toEqual(
    job.files.flatMap(({ sha256 }, i) =>
      CHANNELS.map(({ id }) => ["draft", id, i === 0 ? "One & only\nsecond line" : "001-v2-clip", sha256]),
    ),
  );
  const times = new Set(twin.posts.map(({ publishDate }) => publishDate));
  expect(times.size).toBe(2);
  expect(twin.uploads.size).toBe(2);
  expect(twin.posts[1]!.settings).toMatchObject({ __type: "youtube", title: "One & only", type: "public" });
  // A second delivery has nothing to post.
  await deliverJob(worker.context, { job_id: job.id, destination_id: destination.id });
  expect(await delivered(worker.context, job.id)).toMatchObject({ status: "Completed", delivered: 2 });
  expect(twin.posts).toHaveLength(4);
});

it("publishes soon, and finds the posts that an interrupted try has made", async () => {
  const { destination } = await addPostiz({ mode: "now" });
  await worker.start();
  // Created, but the response is lost.
  twin.faults.push({ method: "POST", path: "/posts", response: "cutAfter" });
  const before = Date.now();
  const job = await completeCaptioned(["Same text", "Same text"], [destination.id]);
  expect(await delivered(worker.context, job.id)).toMatchObject({ status: "Completed", delivered: 2 });
  expect(twin.posts.map(({ sha256 }) => sha256)).toEqual(job.files.flatMap(({ sha256 }) => [sha256, sha256]));
  expect(twin.posts.every(({ type, publishDate }) => type === "schedule" && Date.parse(publishDate) > before)).toBe(
    true,
  );
});

it("posts only to the other channels on a retry after an error", async () => {
  const { destination } = await addPostiz();
  await worker.start();
  twin.stopAfter = 1;
  twin.rejection = JSON.stringify({ msg: "No" });
  const job = await completeCaptioned(["Text"], [destination.id]);
  const failed = await delivered(worker.context, job.id);
  expect(failed).toMatchObject({ status: "Failed", failed: 1 });
  await changeDelivery(worker.context, { id: failed.id, action: "retry" });
  expect(await delivered(worker.context, job.id)).toMatchObject({ status: "Completed", delivered: 1 });
  expect(twin.posts.map(({ channel }) => channel)).toEqual(CHANNELS.map(({ id }) => id));
});

it("posts to the channels that an interrupted request did not reach", async () => {
  const { destination } = await addPostiz({ mode: "schedule" });
  await worker.start();
  twin.stopAfter = 1;
  const job = await completeCaptioned(["Text"], [destination.id]);
  expect(await delivered(worker.context, job.id)).toMatchObject({ status: "Completed", delivered: 1 });
  expect(twin.posts.map(({ channel }) => channel)).toEqual(CHANNELS.map(({ id }) => id));
});

it("waits for the connection's limit and for Postiz's own, and then goes on", async () => {
  const { db } = worker.context;
  const { destination } = await addPostiz({}, { posts_per_hour: 2 });
  await worker.start();
  const job = await completeCaptioned(["a", "b", "c", "d"], [destination.id]);
  const waits = async (message: string) => {
    await expect
      .poll(async () => (await listDeliveries(worker.context, job.id))[0], { timeout: 20_000 })
      .toMatchObject({ status: "Queued", error_message: expect.stringContaining(message) });
  };
  await waits('The connection "Posts" makes at most 2 posts an hour.');
  expect(twin.posts).toHaveLength(4);
  const { cools_until: until } = await db.selectFrom("hosts").selectAll().executeTakeFirstOrThrow();
  expect(Date.parse(until!) - Date.now()).toBeGreaterThan(59 * 60_000);
  const passHour = async () => {
    await sql`update delivery_files set updated_at = updated_at - interval '1 hour'`.execute(db);
    await sql`update hosts set cools_until = now()`.execute(db);
  };
  twin.faults.push({
    method: "POST",
    path: "/posts",
    response: { status: 429, headers: { "x-ratelimit-reset": "1800" } },
  });
  await passHour();
  await waits('Postiz is limiting the requests of the connection "Posts".');
  await passHour();
  expect(await delivered(worker.context, job.id)).toMatchObject({ status: "Completed", delivered: 4 });
  expect(twin.posts).toHaveLength(8);
  // The upload was not repeated.
  expect(twin.uploads.size).toBe(4);
});

it("says what an operator must correct", async () => {
  const { connection, destination } = await addPostiz();
  await worker.start();
  const { context } = worker;
  expect(await testConnection(context, { id: connection.id })).toEqual({
    isValid: true,
    message: "The connection works. Postiz has 2 channels.",
  });
  expect(await testConnection(context, { name: "x", ...twin.fields, api_key: "wrong" })).toMatchObject({
    isValid: false,
    message: 'Postiz rejected the API key of the connection "x".',
  });
  const web = `${new URL(twin.fields.endpoint).origin}/web`;
  expect(await testConnection(context, { name: "x", ...twin.fields, endpoint: web })).toMatchObject({
    isValid: false,
    message: expect.stringContaining("A self-hosted one is usually at /api."),
  });
  const elsewhere = { name: "x", ...twin.fields, endpoint: "https://10.0.0.1/api" };
  expect(await testConnection(context, elsewhere)).toMatchObject({
    isValid: false,
    message: expect.stringContaining("ALLOW_PRIVATE_SOURCES"),
  });
  twin.channels.push({ id: "reddit", name: "A", identifier: "reddit", disabled: false, profile: "" });
  expect(await listChannels(context, { connection_id: connection.id })).toEqual([
    {
      id: "reddit",
      name: "A",
      service: "reddit",
      problem: "Its posts need settings that are available only in Postiz.",
    },
    ...CHANNELS.map((channel) => ({ ...channel, problem: null })),
  ]);
  twin.channels.splice(1, 1);
  const gone = 'The channel "Shorts" no longer exists in Postiz.';
  expect(await testDestination(context, { id: destination.id })).toMatchObject({
    isValid: false,
    message: expect.stringContaining(gone),
  });
  const job = await completeCaptioned(["a", "b"], [destination.id]);
  expect(await delivered(context, job.id)).toMatchObject({
    status: "Failed",
    error_message: expect.stringContaining(gone),
  });
  expect(twin.uploads.size).toBe(0);
});

it("fails the file that Postiz rejects, with its reason", async () => {
  const { destination } = await addPostiz();
  await worker.start();
  const body = JSON.stringify({ message: ["content must be shorter"], statusCode: 400 });
  twin.faults.push({ method: "POST", path: "/posts", response: { status: 400, body } });
  const job = await completeCaptioned(["a", "b"], [destination.id]);
  expect(await delivered(worker.context, job.id)).toMatchObject({
    ...{ status: "Failed", delivered: 1, failed: 1 },
    problems: [{ files: 1, error_message: "Postiz: content must be shorter" }],
  });
});

it.each([
  [{ posting: null }, "Choose a channel."],
  [{ posting: { mode: "draft", channels: [] } }, "Choose a channel."],
  [{ posting: { mode: "draft", channels: [CHANNELS[0]!, CHANNELS[0]!] } }, "Choose each channel once."],
  [{ kind: "folder", place: "deliveries", connection_id: null }, "Only a Postiz destination has channels."],
] as const)("rejects a destination with %o", async (change, reason) => {
  const { destination } = await addPostiz();
  const { kind, place, connection_id, posting } = destination;
  const fields = { kind, place, connection_id, posting, ...change };
  await expect(addTestDestination(worker.context, fields as object)).rejects.toThrow(reason);
});
