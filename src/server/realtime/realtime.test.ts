import type { RealtimePostgresChangesPayload, SupabaseClient } from "@supabase/supabase-js";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { Job } from "#contract/jobs/jobs.ts";
import { cancelJob } from "#operations/jobs/cancel-job.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, TEST_ACCOUNT, type TestServer } from "#tests/support/servers/server.ts";

/** A busy machine needs more than polling's default of one second. */
const LONG_TIMEOUT = { timeout: 15_000 };

let server: TestServer;

type Payload = RealtimePostgresChangesPayload<Record<string, unknown>>;
type Subscription = { event: "*" | "INSERT" | "UPDATE" | "DELETE"; table: string; filter?: string };

async function signedIn(vsn?: string): Promise<SupabaseClient> {
  const client = server.newClient(vsn ? { vsn } : {});
  const { error } = await client.auth.signInWithPassword(TEST_ACCOUNT);
  if (error) throw error;
  return client;
}

/** Resolves once subscribed, with the payloads received from then on. */
async function subscribe(client: SupabaseClient, name: string, ...requests: Subscription[]) {
  const payloads: Payload[] = [];
  const states: string[] = [];
  const channel = client.channel(name);
  for (const request of requests) {
    channel.on("postgres_changes", { schema: "public", ...request } as never, (payload: Payload) =>
      payloads.push(payload),
    );
  }
  channel.subscribe((state) => states.push(state));
  await expect.poll(() => states, LONG_TIMEOUT).toContain("SUBSCRIBED");
  return { payloads, states, channel };
}

/** For frames that the real client does not send. */
async function openSocket(query = "vsn=2.0.0") {
  const socket = new WebSocket(`${server.url.replace("http", "ws")}/realtime/v1/websocket?apikey=key&${query}`);
  const frames: unknown[] = [];
  socket.on("message", (text: Buffer) => frames.push(JSON.parse(text.toString())));
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  return { socket, frames, send: (frame: unknown) => socket.send(JSON.stringify(frame)) };
}

describe("on PostgreSQL", () => {
  beforeAll(async () => {
    server = await startTestServer(undefined, { openDatabase: openPostgresDatabase });
  });
  afterAll(() => server.close());

  describe.each(["1.0.0", "2.0.0"])("live updates, version %s", (vsn) => {
    // spec 7.19
    it("report a new job, its changes and its deletion, with the same values as the table", async () => {
      const client = await signedIn(vsn);
      const { payloads } = await subscribe(client, "dashboard_updates", { event: "*", table: "jobs" });
      const job = await server.create({ job_name: "Live" });
      await expect.poll(() => payloads.map((payload) => payload.eventType), LONG_TIMEOUT).toEqual(["INSERT"]);
      expect(payloads[0]).toMatchObject({ schema: "public", table: "jobs", new: job, errors: null });
      await cancelJob(server.context, job.id);
      const last = () => payloads.at(-1)!.new as Job;
      await expect.poll(() => last().status, LONG_TIMEOUT).toBe("Cancelled");
      expect(last()).toEqual((await server.client.from("jobs").select("*").eq("id", job.id).single()).data);
      await server.context.db.deleteFrom("jobs").where("id", "=", job.id).execute();
      await expect
        .poll(() => payloads.at(-1), LONG_TIMEOUT)
        .toMatchObject({ eventType: "DELETE", old: { id: job.id } });
    });

    // spec 4.3.2, 7.19
    it("send a channel only what it subscribed to", async () => {
      const client = await signedIn(vsn);
      const [mine, other] = [await server.create(), await server.create()];
      const videos = await subscribe(client, "one job", {
        event: "UPDATE",
        table: "job_videos",
        filter: `job_id=eq.${mine.id}`,
      });
      const updates = await subscribe(client, "job_progress_updates", { event: "UPDATE", table: "jobs" });
      await cancelJob(server.context, other.id);
      await cancelJob(server.context, mine.id);
      await expect
        .poll(() => videos.payloads.map((payload) => payload.new))
        .toEqual([expect.objectContaining({ job_id: mine.id, status: "Cancelled" })]);
      await expect
        // Changes of two jobs that arrive together have no order.
        .poll(() => updates.payloads.map((payload) => (payload.new as Job).id).toSorted(), LONG_TIMEOUT)
        .toEqual([other.id, mine.id].toSorted());
    });
  });

  describe("live updates", () => {
    it("report progress at most four times a second, and status changes immediately", async () => {
      const job = await server.create();
      const other = await server.create();
      const { db } = server.context;
      const request = { event: "UPDATE", table: "*" } as const;
      const { payloads } = await subscribe(await signedIn(), "busy", request);
      const write = (id: string, change: { progress: number } | { status: "Processing" }) =>
        db.updateTable("jobs").set(change).where("id", "=", id).execute();
      const changesOf = (id: string) => payloads.filter((payload) => (payload.new as Job).id === id);
      const startedMs = performance.now();
      for (let progress = 1; performance.now() - startedMs < 1_000; progress += 1) {
        await write(job.id, { progress: progress / 100 });
      }
      const seconds = (performance.now() - startedMs) / 1_000;
      await write(job.id, { progress: 99 });
      await expect.poll(() => (changesOf(job.id).at(-1)?.new as Job | undefined)?.progress, LONG_TIMEOUT).toBe(99);
      expect(changesOf(job.id).length).toBeLessThanOrEqual(Math.ceil(seconds * 4) + 1);

      await write(other.id, { progress: 1 });
      await expect.poll(() => changesOf(other.id), LONG_TIMEOUT).toHaveLength(1);
      await write(other.id, { progress: 2 });
      await write(other.id, { status: "Processing" });
      await expect
        .poll(() => changesOf(other.id).map((payload) => (payload.new as Job).status), LONG_TIMEOUT)
        .toEqual(["Queued", "Processing"]);
    });

    it("come from any process that writes to the database", async () => {
      const { payloads } = await subscribe(await signedIn(), "elsewhere", { event: "INSERT", table: "jobs" });
      // Plain SQL stands in for another process: the embedded database has only one.
      const row = await server.create();
      await sql`insert into jobs select (jsonb_populate_record(jobs, '{"id": "00000000-0000-4000-8000-0000000000aa"}')).*
      from jobs where id = ${row.id}`.execute(server.context.db);
      await expect
        .poll(() => payloads.map((payload) => (payload.new as Job).id), LONG_TIMEOUT)
        .toContain("00000000-0000-4000-8000-0000000000aa");
    });

    it("never lose the last state of a fast-changing row", async () => {
      const job = await server.create();
      const { payloads } = await subscribe(await signedIn(), "fast", {
        event: "UPDATE",
        table: "jobs",
        filter: `id=eq.${job.id}`,
      });
      for (let progress = 1; progress <= 100; progress += 1) {
        await server.context.db.updateTable("jobs").set({ progress }).where("id", "=", job.id).execute();
      }
      const progresses = () => payloads.map((payload) => (payload.new as Job).progress);
      await expect.poll(() => progresses().at(-1), LONG_TIMEOUT).toBe(100);
      expect(progresses()).toEqual(progresses().toSorted((a, b) => a - b));
      expect(progresses().length).toBeLessThan(100);
    });

    it("reach a channel that subscribes only to updates when a row is inserted and updated together", async () => {
      const { payloads } = await subscribe(await signedIn(), "updates", { event: "UPDATE", table: "jobs" });
      const job = await server.create();
      await server.context.db.updateTable("jobs").set({ job_name: "Changed" }).where("id", "=", job.id).execute();
      await expect
        .poll(() => payloads.map((payload) => (payload.new as Job).job_name), LONG_TIMEOUT)
        .toContain("Changed");
    });

    it("reject a join without a token, with a key as token, or with an invalid one", async () => {
      const { states } = joinWithout();
      await expect.poll(() => states, LONG_TIMEOUT).toContain("CHANNEL_ERROR");
      const { frames, send } = await openSocket();
      for (const [ref, token] of [
        ["1", undefined],
        ["2", "sb_publishable_x"],
        ["3", "a.b.c"],
      ]) {
        send([ref, ref, `realtime:${ref}`, "phx_join", { config: {}, access_token: token }]);
      }
      await expect.poll(() => frames, LONG_TIMEOUT).toHaveLength(3);
      for (const frame of frames) {
        const reason = expect.stringMatching(/^InvalidJWTToken: /);
        expect(frame).toMatchObject({ 3: "phx_reply", 4: { status: "error", response: { reason } } });
      }
    });

    it("reject tables that cannot be watched", async () => {
      const token = (await server.client.auth.getSession()).data.session!.access_token;
      const { frames, send } = await openSocket();
      const config = { postgres_changes: [{ event: "*", schema: "public", table: "accounts" }] };
      send(["1", "1", "realtime:x", "phx_join", { config, access_token: token }]);
      await expect.poll(() => frames, LONG_TIMEOUT).toHaveLength(1);
      expect(frames[0]).toMatchObject({ 4: { status: "error" } });
    });

    it("reply to heartbeats in both versions, and ignore invalid frames", async () => {
      const arrays = await openSocket();
      arrays.socket.send("not json");
      arrays.send({ topic: "phoenix" });
      arrays.send([null, "13", "phoenix", "heartbeat", {}]);
      await expect
        .poll(() => arrays.frames)
        .toEqual([[null, "13", "phoenix", "phx_reply", { status: "ok", response: {} }]]);
      const objects = await openSocket("");
      objects.send({ topic: "phoenix", event: "heartbeat", payload: {}, ref: null });
      await expect
        .poll(() => objects.frames)
        .toEqual([
          { topic: "phoenix", event: "phx_reply", payload: { status: "ok", response: {} }, ref: null, join_ref: null },
        ]);
    });

    it("stop after a channel is left", async () => {
      const client = await signedIn();
      const { payloads, channel } = await subscribe(client, "left", { event: "INSERT", table: "jobs" });
      const stays = await subscribe(client, "stays", { event: "INSERT", table: "jobs" });
      expect(await client.removeChannel(channel)).toBe("ok");
      await server.create();
      await expect.poll(() => stays.payloads, LONG_TIMEOUT).toHaveLength(1);
      expect(payloads).toEqual([]);
    });

    it("end immediately when the session is signed out elsewhere", async () => {
      const client = await signedIn();
      const { states } = await subscribe(client, "revoked", { event: "*", table: "jobs" });
      await server.client.auth.signOut({ scope: "others" });
      await expect.poll(() => states, LONG_TIMEOUT).toContain("CLOSED");
    });

    it("make the client rejoin when its token has expired", async () => {
      const token = (await server.client.auth.getSession()).data.session!.access_token;
      const { frames, send } = await openSocket();
      send(["1", "1", "realtime:x", "phx_join", { config: {}, access_token: token }]);
      await expect.poll(() => frames, LONG_TIMEOUT).toHaveLength(2);
      send(["1", "2", "realtime:x", "access_token", { access_token: "sb_publishable_x" }]);
      send(["1", "3", "realtime:x", "access_token", { access_token: token }]);
      send(["1", "4", "realtime:x", "access_token", { access_token: "no.longer.valid" }]);
      await expect.poll(() => frames.at(-1), LONG_TIMEOUT).toEqual(["1", null, "realtime:x", "phx_error", {}]);
      expect(frames).toHaveLength(3);
    });

    it("disconnect a client that does not read, instead of buffering without limit", async () => {
      const token = (await server.client.auth.getSession()).data.session!.access_token;
      // Nearly a light row's maximum of captions: each change is over a megabyte per channel.
      const job = await server.create({ custom_captions: Array.from({ length: 8 }, () => "x".repeat(1_950)) });
      const { socket, frames, send } = await openSocket();
      const request = { event: "UPDATE", schema: "public", table: "jobs", filter: `id=eq.${job.id}` };
      const channels = 80;
      for (let i = 1; i <= channels; i += 1) {
        const config = { postgres_changes: [request] };
        send([`${i}`, `${i}`, `realtime:${i}`, "phx_join", { config, access_token: token }]);
      }
      await expect.poll(() => frames, LONG_TIMEOUT).toHaveLength(2 * channels);
      socket.pause();
      // A client that reads shows when each change has been sent.
      const witness = await subscribe(await signedIn(), "witness", {
        event: "UPDATE",
        table: "jobs",
        filter: request.filter,
      });
      for (let progress = 1; progress <= 40; progress += 1) {
        await server.context.db.updateTable("jobs").set({ progress }).where("id", "=", job.id).execute();
        await expect
          .poll(() => (witness.payloads.at(-1)?.new as Job | undefined)?.progress, LONG_TIMEOUT)
          .toBe(progress);
      }
      const closed = new Promise((resolve) => socket.once("close", resolve));
      socket.resume();
      expect(await closed).toBe(1006);
      expect(frames.length).toBeLessThan(42 * channels);
    });

    it("keep a channel open across a token refresh", async () => {
      const client = await signedIn();
      const { payloads, states } = await subscribe(client, "renewed", { event: "INSERT", table: "jobs" });
      await client.auth.refreshSession();
      await server.create();
      await expect.poll(() => payloads, LONG_TIMEOUT).toHaveLength(1);
      expect(states).toEqual(["SUBSCRIBED"]);
    });
  });
});

function joinWithout() {
  const states: string[] = [];
  const channel = server.newClient().channel("anonymous");
  channel.on("postgres_changes", { event: "*", schema: "public", table: "jobs" }, () => {});
  channel.subscribe((state) => states.push(state));
  return { states };
}
