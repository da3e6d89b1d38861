import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AuditResponse } from "#contract/calls.ts";
import type { FeedbackResponse, GuestView, ShareResponse } from "#contract/guests/guests.ts";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import { planOutputs } from "#operations/jobs/create/plan-outputs.ts";
import { cancelJob } from "#operations/jobs/cancel-job.ts";
import { deleteJobs } from "#operations/jobs/delete-jobs.ts";
import { readJob } from "#operations/jobs/read/read-job.ts";
import { claimVideo } from "#operations/jobs/videos/claim-video.ts";
import { completeOutput } from "#operations/jobs/videos/complete-output.ts";
import { endVideo } from "#operations/jobs/videos/end-video.ts";
import { openTestApp, startTestServer, type TestServer } from "#tests/support/servers/server.ts";

const LINKS = ["first", "second"].map((id) => `https://drive.google.com/file/d/secret-${id}/view`);
const BYTES = randomBytes(10_000);
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Two videos await approval of one sample; the sampled video's other variant has a file, too. */
async function createWaiting(): Promise<{ job: WholeJob; sampleId: string; otherId: string }> {
  const job = await server.create({ input_videos: LINKS, variants_per_video: 2, proof_count: 1 });
  return { job, ...(await makeSamples(job)) };
}

async function makeSamples(job: WholeJob): Promise<{ sampleId: string; otherId: string }> {
  const { context } = server;
  const task = await context.db
    .selectFrom("job_videos")
    .select(["id", "attempts"])
    .where("job_id", "=", job.id)
    .orderBy("position")
    .limit(1)
    .executeTakeFirstOrThrow();
  const ref = { jobId: job.id, videoId: task.id, attempt: task.attempts + 1 };
  await claimVideo(context, { ...ref, startTag: 0 }, ref.attempt);
  const names = ["001-v1-beach.mp4", "001-v2-hidden.mp4"];
  const planned = names.map((name, variant) => ({ variant, segment: 0, name, caption: "hidden caption", track: null }));
  const outputs = (await planOutputs(context, { ...ref, name: "beach.mp4", durationSeconds: 1 }, planned))!;
  const put = async (key: string) => {
    const local = path.join(server.folder, "made");
    await writeFile(local, BYTES);
    return context.storage.put(key, local);
  };
  for (const { id } of outputs) {
    const stored = await put(`outputs/${job.id}/${id}.mp4`);
    await put(`thumbnails/${job.id}/${id}.jpg`);
    const keys = {
      storageKey: `outputs/${job.id}/${id}.mp4`,
      thumbnailKey: `thumbnails/${job.id}/${id}.jpg`,
      cover: null,
    };
    const facts = { durationSeconds: 1, width: 90, height: 160, conformance: null, warnings: [], contentKey: id };
    await completeOutput(context, ref, { id, ...facts, ...keys, ...stored });
  }
  await endVideo(context, ref, { status: "Sampled", share: 0.5 });
  await sql`update pgboss.job set state = 'completed' where id = ${ref.videoId}`.execute(context.db);
  expect(await readJob(context, job.id)).toMatchObject({ awaiting_approval: true });
  return { sampleId: outputs[0]!.id, otherId: outputs[1]!.id };
}

async function call<Result>(body: object): Promise<Result> {
  const { data, error } = await server.client.functions.invoke<Result>("jobs", { body });
  if (error) throw new Error(((await (error.context as Response).json()) as { error: string }).error);
  return data!;
}

const share = (job: WholeJob, more: object = {}) => call<ShareResponse>({ action: "share", jobId: job.id, ...more });

async function view(guestPath: string): Promise<GuestView> {
  return ((await (await fetch(`${server.url}${guestPath}/view`)).json()) as { data: GuestView }).data;
}

function post(address: string, body: object): Promise<Response> {
  return fetch(server.url + address, { method: "POST", body: JSON.stringify(body) });
}

const idsOf = ({ samples }: GuestView): string[] => samples.map(({ id }) => id);

it("shows a guest the samples and the job's name, and nothing else of it", async () => {
  const { job, sampleId, otherId } = await createWaiting();
  const { path: guest } = await share(job);
  const address = `${server.url}${guest}`;
  const response = await fetch(`${address}/view`);
  expect(response.headers.get("x-robots-tag")).toBe("noindex, nofollow");
  expect(response.headers.get("referrer-policy")).toBe("no-referrer");
  const text = await response.text();
  for (const hidden of ["hidden", "secret-", otherId, job.id]) expect(text).not.toContain(hidden);
  const { data } = JSON.parse(text) as { data: GuestView };
  expect(data).toMatchObject({ job_name: "A job", state: "waiting", can_approve: false, comments: [] });
  expect(data.samples).toMatchObject([{ id: sampleId, name: "001-v1-beach.mp4", width: 90 }]);
  const part = await fetch(server.url + data.samples[0]!.media_url, { headers: { range: "bytes=10-19" } });
  expect([part.status, part.headers.get("cache-control")]).toEqual([206, "private, no-store"]);
  expect(Buffer.from(await part.arrayBuffer()).equals(BYTES.subarray(10, 20))).toBe(true);
  expect((await fetch(server.url + data.samples[0]!.thumbnail_url)).status).toBe(200);
  const { job: other, sampleId: foreign } = await createWaiting();
  expect(other.id).not.toBe(job.id);
  for (const id of [otherId, foreign, job.id, "x", "..%2F..%2Fx"]) {
    for (const folder of ["samples", "thumbnails"]) {
      expect([id, (await fetch(`${address}/${folder}/${id}`)).status]).toEqual([id, 404]);
    }
  }
});

it("gives a guest's token no right on any other route, wherever it is sent", async () => {
  const { job, otherId } = await createWaiting();
  const { path: guest } = await share(job, { can_approve: true });
  const token = guest!.slice("/guest/".length);
  const { app, close } = await openTestApp(server);
  const routes = app.routes.map(({ method, path: route }) => ({ method, route }));
  await close();
  const headers = {
    authorization: `Bearer ${token}`,
    apikey: token,
    cookie: `token=${token}; session=${token}; sb-access-token=${token}`,
  };
  const ids = [token, job.id, otherId];
  const reached: string[] = [];
  const rejections: string[] = [];
  const tried = new Set<string>();
  for (const { method, route } of routes) {
    for (const id of ids) {
      const address = route.replaceAll(/:\w+(\{[^}]*\})?/g, id).replace("*", id);
      for (const each of method === "ALL" ? METHODS : [method]) {
        if (tried.has(`${each} ${address}`)) continue;
        tried.add(`${each} ${address}`);
        const body = each === "GET" || each === "HEAD" ? {} : { body: JSON.stringify({ jobId: job.id }) };
        const response = await fetch(server.url + address, { method: each, headers, redirect: "manual", ...body });
        // The web app is not built here; a wrong mail link redirects to it with its error.
        if (response.ok) reached.push(`${each} ${route}`);
        else rejections.push(await response.text());
      }
    }
  }
  expect(tried.size).toBeGreaterThan(150);
  expect(rejections.filter((text) => /hidden|secret-/.test(text))).toEqual([]);
  const open = new Set(["GET /health", "GET /ready", "GET /guest/:token/view"]);
  const closed = [...new Set(reached)].filter((route) => !open.has(route) && !route.includes(" /.well-known/oauth-"));
  expect(closed).toEqual([]);
  const socket = new WebSocket(`${server.url.replace("http", "ws")}/realtime/v1/websocket?apikey=${token}&vsn=1.0.0`);
  const response = await new Promise<string>((resolve) => {
    socket.addEventListener("open", () => {
      const payload = {
        config: { postgres_changes: [{ event: "*", schema: "public", table: "jobs" }] },
        access_token: token,
      };
      socket.send(JSON.stringify({ topic: "realtime:jobs", event: "phx_join", payload, ref: "1", join_ref: "1" }));
    });
    socket.addEventListener("message", ({ data }) => resolve(String(data)));
    socket.addEventListener("close", () => resolve("closed"));
  });
  socket.close();
  expect(response).not.toContain('"status":"ok"');
}, 30_000);

it("ends a link at once when it is revoked or expires, and with its job", async () => {
  const { job } = await createWaiting();
  const first = await share(job);
  const second = await share(job, { days: 1 });
  const { samples } = await view(first.path!);
  expect(await share(job, { revoke: first.data.id })).toMatchObject({ path: null, data: { id: first.data.id } });
  for (const address of [`${first.path}/view`, samples[0]!.media_url, samples[0]!.thumbnail_url]) {
    expect((await fetch(server.url + address)).status).toBe(404);
  }
  expect((await post(`${first.path}/comments`, { author: "Ann", message: "Hi" })).status).toBe(404);
  await sql`update guest_links set expires_at = now() where id = ${second.data.id}`.execute(server.context.db);
  const expired = await fetch(`${server.url}${second.path}/view`);
  expect([expired.status, await expired.json()]).toMatchObject([
    404,
    { error: "This link has expired or was revoked. Ask for a new one." },
  ]);
  const third = await share(job);
  await cancelJob(server.context, job.id);
  expect(await view(third.path!)).toMatchObject({ state: "cancelled", can_approve: false });
  await deleteJobs(server.context, [job.id]);
  expect((await fetch(`${server.url}${third.path}/view`)).status).toBe(404);
  const { rows } = await sql`select from guest_links where job_id = ${job.id}`.execute(server.context.db);
  expect(rows).toHaveLength(0);
});

it("stores comments, and an approval only if the link allows it", async () => {
  const { job, sampleId } = await createWaiting();
  const samples = [sampleId];
  const reader = await share(job);
  const decider = await share(job, { can_approve: true });
  const rejected = await post(`${reader.path}/approve`, { author: "Ann", samples });
  expect([rejected.status, await rejected.json()]).toMatchObject([
    403,
    { error: "This link does not allow you to approve the samples." },
  ]);
  expect((await post(`${reader.path}/comments`, { author: " ", message: "x" })).status).toBe(400);
  expect((await post(`${reader.path}/comments`, { author: "Ann", message: "x".repeat(2_001) })).status).toBe(400);
  const text = "Brighter, please <b>now</b>";
  expect((await post(`${reader.path}/comments`, { author: "Ann", message: text })).status).toBe(200);
  const responses = await Promise.all(
    ["Bob", "Bob"].map((author) => post(`${decider.path}/approve`, { author, message: "Go", samples })),
  );
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await readJob(server.context, job.id)).toMatchObject({ proof_state: "approved", waiting_videos: 2 });
  // A guest sees the comments of the same link only.
  expect((await view(decider.path!)).comments).toMatchObject([{ author: "Bob", message: "Go", is_approval: true }]);
  const { data } = await call<FeedbackResponse>({ action: "feedback", jobId: job.id });
  expect(data.comments).toMatchObject([
    { author: "Ann", message: text, is_approval: false },
    { author: "Bob", message: "Go", is_approval: true },
  ]);
  expect(data.links).toMatchObject([{ last_seen_at: expect.any(String), can_approve: true }, { can_approve: false }]);
  expect(JSON.stringify(data)).not.toContain(decider.path!.slice("/guest/".length));
  const { data: trail } = await server.client.functions.invoke<AuditResponse>("audit?limit=3", { method: "GET" });
  expect(trail!.data.map(({ action, email }) => [action, email])).toEqual([
    ["job.approve", "guest"],
    ["job.share", "operator@clipmill.local"],
    ["job.share", "operator@clipmill.local"],
  ]);
});

it("keeps the moment of a sample that a comment names, and only of samples that the link shows", async () => {
  const { job, sampleId, otherId } = await createWaiting();
  const { path: guest } = await share(job);
  const { sampleId: foreign } = await createWaiting();
  const comment = (place: object) => post(`${guest}/comments`, { author: "Ann", message: "Too dark", ...place });
  expect((await comment({ output_id: sampleId, at_seconds: 1.25 })).status).toBe(200);
  expect((await comment({})).status).toBe(200);
  for (const id of [otherId, foreign]) expect((await comment({ output_id: id, at_seconds: 1 })).status).toBe(404);
  for (const place of [{ output_id: "x" }, { at_seconds: 1 }, { output_id: sampleId, at_seconds: -1 }]) {
    expect((await comment(place)).status).toBe(400);
  }
  const places = [
    { output_id: sampleId, at_seconds: 1.25 },
    { output_id: null, at_seconds: null },
  ];
  expect((await view(guest!)).comments).toMatchObject(places);
  const { data } = await call<FeedbackResponse>({ action: "feedback", jobId: job.id });
  expect(data.comments).toMatchObject(places);
  // A replaced sample leaves the comment.
  await sql`delete from job_outputs where id = ${sampleId}`.execute(server.context.db);
  expect((await view(guest!)).comments).toMatchObject([{ message: "Too dark", output_id: null, at_seconds: 1.25 }, {}]);
});

it("does not count the wait for an approval as elapsed", async () => {
  const { job } = await createWaiting();
  await sql`update jobs set awaiting_since = now() - interval '1 hour' where id = ${job.id}`.execute(server.context.db);
  expect(await readJob(server.context, job.id)).toMatchObject({ awaited_seconds: 0 });
  await call({ action: "approve", jobId: job.id });
  const approved = (await readJob(server.context, job.id))!;
  expect(approved.awaiting_since).toBeNull();
  expect(approved.awaited_seconds).toBeGreaterThanOrEqual(3_600);
});

it("rejects an approval of samples that were replaced after they were shown", async () => {
  const { job } = await createWaiting();
  const { path: guest } = await share(job, { can_approve: true });
  const approve = async (samples?: string[]) => {
    const response = await post(`${guest}/approve`, { author: "Ann", message: "Go", samples });
    return [response.status, ((await response.json()) as { error?: string }).error];
  };
  const shown = idsOf(await view(guest!));
  await call({ action: "change", jobId: job.id, settings: { job_name: "Other music" } });
  expect(await approve(shown)).toMatchObject([409, expect.stringContaining("still being made")]);
  await makeSamples(job);
  const changed = "The samples have changed. Look at them again.";
  expect(await approve(shown)).toEqual([409, changed]);
  await expect(call({ action: "approve", jobId: job.id, samples: shown })).rejects.toThrow(changed);
  await expect(call({ action: "approve", jobId: job.id, samples: [] })).rejects.toThrow(changed);
  expect(await approve([])).toEqual([409, changed]);
  expect(await readJob(server.context, job.id)).toMatchObject({ awaiting_approval: true });
  const current = await view(guest!);
  expect(current).toMatchObject({ job_name: "Other music", can_approve: true, comments: [] });
  expect(idsOf(current)).not.toEqual(shown);
  expect(await approve(idsOf(current))).toEqual([200, undefined]);
  expect(await readJob(server.context, job.id)).toMatchObject({ proof_state: "approved" });
});

it("lets operators approve with the samples that they saw, or without naming any", async () => {
  for (const isNamed of [true, false]) {
    const { job, sampleId } = await createWaiting();
    const samples = isNamed ? { samples: [sampleId] } : {};
    const { data } = await call<{ data: WholeJob }>({ action: "approve", jobId: job.id, ...samples });
    expect(data.proof_state).toBe("approved");
  }
});

it("slows down guessing", async () => {
  const { job } = await createWaiting();
  const { path: guest } = await share(job);
  const guess = () => fetch(`${server.url}/guest/${randomBytes(32).toString("base64url")}/view`);
  const wrong = `${server.url}/guest/${randomBytes(32).toString("base64url")}/view`;
  const again: number[] = [];
  for (let i = 0; i < 40; i += 1) again.push((await fetch(wrong)).status);
  expect(again).toEqual([...Array<number>(30).fill(404), ...Array<number>(10).fill(429)]);
  // Other links of the address are not affected.
  expect((await guess()).status).toBe(404);
  const statuses: number[] = [];
  for (let i = 0; i < 40; i += 1) statuses.push((await guess()).status);
  expect(new Set(statuses)).toEqual(new Set([404, 429]));
  expect((await guess()).headers.get("retry-after")).not.toBeNull();
  // Strangers at the same address must not lock out a client.
  expect((await fetch(`${server.url}${guest}/view`)).status).toBe(200);
});

it("limits how fast comments are sent with a link, and rejects control characters", async () => {
  const { job } = await createWaiting();
  const [one, other] = [await share(job), await share(job)];
  const send = async (guest: string, author: string, message: string) => {
    const response = await post(`${guest}/comments`, { author, message });
    return [response.status, ((await response.json()) as { error?: string }).error];
  };
  // Every call rejects these.
  for (const character of ["\0", "\uD800"]) {
    const rejected = [400, expect.stringMatching(/^(?:author|message): Remove character 2 .* It cannot be stored\.$/)];
    expect(await send(other.path!, `A${character}n`, "Hi")).toEqual(rejected);
    expect(await send(other.path!, "Ann", `H${character}i`)).toEqual(rejected);
  }
  for (const character of ["\u001B", "\u0085"]) {
    expect(await send(other.path!, `A${character}n`, "Hi")).toEqual([400, "A name cannot contain control characters."]);
    const sentence = "A comment cannot contain control characters.";
    expect(await send(other.path!, "Ann", `H${character}i`)).toEqual([400, sentence]);
  }
  for (let i = 0; i < 10; i += 1)
    expect(await send(one.path!, "Ann", "Two\nlines\tand a tab")).toEqual([200, undefined]);
  const sentence = "At most 10 comments can be sent in a minute. Try again in a minute.";
  expect(await send(one.path!, "Ann", "One more")).toEqual([429, sentence]);
  expect((await post(`${one.path}/approve`, { author: "Ann" })).headers.get("retry-after")).not.toBeNull();
  expect(await send(other.path!, "Ann", "Another link")).toEqual([200, undefined]);
  expect((await view(one.path!)).comments).toHaveLength(10);
});

it("cannot share a job without samples", async () => {
  const job = await server.create();
  await expect(share(job)).rejects.toThrow("This job has no samples to share.");
  await expect(share({ ...job, id: "00000000-0000-4000-8000-000000000000" })).rejects.toThrow(
    "The job does not exist.",
  );
  await expect(share(job, { days: 91 })).rejects.toThrow("A guest link must be valid for 1 to 90 days.");
});
