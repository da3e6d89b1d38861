import { randomUUID } from "node:crypto";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import {
  type WebhookDelivery,
  EVENT_TYPES,
  type EventType,
  type NewSecretResponse,
  type Webhook,
  type WholeWebhookDelivery,
} from "#contract/webhooks/webhooks.ts";
import { writeEvent } from "#operations/outgoing/write-event.ts";
import { TASK_CHANNEL } from "#queue/task-table.ts";
import { deleteOldEvents } from "#operations/retention/delete-old-rows.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "#tests/support/twins/webhook-receiver.ts";
import { verifyEvent } from "#tests/support/verify-event.ts";

const HOUR = 3_600;

let receiver: WebhookReceiver;
let other: WebhookReceiver;
let server: TestServer;
let token: string;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  other = await startWebhookReceiver();
  server = await startTestServer(undefined, {
    privateWebhooks: [receiver.authority, other.authority, "127.0.0.1:9"],
  });
  token = (await server.client.auth.getSession()).data.session!.access_token;
});
afterAll(async () => {
  await server.close();
  await receiver.close();
  await other.close();
});
beforeEach(async () => {
  await sql`delete from webhooks`.execute(server.context.db);
  await sql`delete from outgoing_events`.execute(server.context.db);
  for (const one of [receiver, other]) {
    one.received.length = 0;
    one.respond((_, response) => response.writeHead(204).end());
  }
});

async function call<Result>(body: object): Promise<Result & { error?: string }> {
  const response = await fetch(`${server.url}/functions/v1/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Result & { error?: string };
}

const add = (request: object = {}) =>
  call<NewSecretResponse>({ url: receiver.url, events: ["job.completed"], ...request });
const act = (action: string, id: string, more: object = {}) =>
  call<{ data: WholeWebhookDelivery }>({ id, action, ...more });
const list = async () => (await call<{ data: Webhook[] }>({ method: "GET" })).data;
const log = async (id: string) => (await call<{ data: WebhookDelivery[] }>({ id, action: "deliveries" })).data;
const only = async () => (await list())[0]!;

function write(type: EventType = "job.completed", data: Record<string, unknown> = {}): Promise<void> {
  const event = { type, timestamp: new Date().toISOString(), data, jobId: null };
  return server.context.db.transaction().execute((trx) => writeEvent(server.context, trx, event));
}

/** Moves what waits and what has happened into the past. */
async function pass(seconds: number): Promise<void> {
  const { db } = server.context;
  const passed = sql`make_interval(secs => ${seconds})`;
  await sql`update webhooks set failing_since = failing_since - ${passed},
    previous_secret_until = previous_secret_until - ${passed}`.execute(db);
  await sql`update outgoing_deliveries set due_at = due_at - ${passed}`.execute(db);
  await sql`update pgboss.job set start_after = start_after - ${passed} where name = 'webhooks' and state < 'active'`.execute(
    db,
  );
  await sql`select pg_notify(${TASK_CHANNEL}, 'webhooks')`.execute(db);
}

describe("the function webhooks", () => {
  it("returns the secret once, and never with the list", async () => {
    const { data, secret } = await add({ events: ["published", "job.failed", "published"] });
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(data).toMatchObject({ events: ["job.failed", "published"], enabled: true, last_delivery: null, pending: 0 });
    expect(await list()).toEqual([data]);
    expect(JSON.stringify(await list())).not.toContain("whsec_");
    const stored = JSON.stringify(await server.context.db.selectFrom("webhooks").selectAll().execute());
    expect(stored).not.toContain(secret.slice(6));
    expect(await act("update", data.id, { enabled: false, events: ["job.started"] })).toMatchObject({
      data: { enabled: false, events: ["job.started"], url: receiver.url },
    });
    expect(await act("delete", data.id)).toEqual({ success: true });
    expect(await act("delete", data.id)).toEqual({ success: true });
    expect(await list()).toEqual([]);
  });

  it.each([
    [{ url: "ftp://a.example" }, "Enter an address that starts with https://."],
    [{ url: "https://user:word@a.example" }, "The address must not contain a username or password."],
    [{ url: `https://a.example/${"a".repeat(2_000)}` }, "The address can have at most 2,000 characters."],
    [{ url: "http://a.example/" }, "To allow it, add a.example:80 to ALLOW_PRIVATE_WEBHOOKS on the server."],
    [{ url: "https://10.0.0.1/" }, "The address is on a private network. To allow it, add 10.0.0.1:443"],
    [{ url: "https://[::1]/" }, "The address is on a private network."],
    [{ url: "http://127.0.0.1:10/" }, "To allow it, add 127.0.0.1:10"],
    [{ events: [] }, "Select at least one event."],
    [{ events: ["job.ended"] }, "Events are job.started,"],
    [{ events: "published" }, "events: must be a list"],
    [{ action: "shout" }, "action: must be test,"],
    [{ action: "test", id: "1" }, "The webhook ID is missing or not valid."],
    [{ action: "test", id: randomUUID() }, "This webhook no longer exists."],
    [{ action: "rotate", id: randomUUID() }, "This webhook no longer exists."],
    [{ action: "update", id: randomUUID() }, "This webhook no longer exists."],
    [{ action: "replay", id: randomUUID(), delivery_id: randomUUID() }, "This webhook no longer exists."],
    [{ action: "delivery", id: randomUUID(), delivery_id: randomUUID() }, "This delivery is no longer in the log"],
  ])("rejects %j", async (request, sentence) => {
    expect((await add(request)).error).toContain(sentence);
  });

  it("rejects the 21st webhook", async () => {
    const responses = await Promise.all(Array.from({ length: 21 }, () => add()));
    expect(responses.flatMap(({ error }) => error ?? [])).toEqual([
      "There can be at most 20 webhooks. Delete one that is not used.",
    ]);
  });

  it("tests a webhook, even one that is turned off, and logs body, response and time", async () => {
    receiver.respond((_, response) => response.end(`Thanks\0, ${"x".repeat(3_000)}`));
    const { data, secret } = await add({ enabled: false });
    const { data: tested } = await act("test", data.id);
    expect(tested).toMatchObject({ status: "delivered", type: "test", attempts: [{ status: 200, error: null }] });
    expect(tested.attempts[0]!.answer).toMatch(/^Thanks, x{1991}$/);
    const [request] = receiver.received;
    expect(request!.body).toBe(tested.body);
    expect(request!.id).toBe(tested.event_id);
    expect(verifyEvent(secret, request!)).toEqual({
      type: "test",
      timestamp: expect.any(String),
      data: expect.anything(),
    });
    expect((await only()).last_delivery).toMatchObject({ status: "delivered", type: "test" });
    expect(await log(data.id)).toMatchObject([{ attempts: 1, last_attempt: { status: 200 }, status: "delivered" }]);
    receiver.respond((_, response) => response.writeHead(500).end("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw leaked"));
    expect((await act("test", data.id)).data).toMatchObject({
      status: "failed",
      next_attempt_at: null,
      attempts: [{ status: 500, answer: "whsec_… leaked", error: "The receiver returned 500." }],
    });
  });

  it("signs with two secrets for a day after a rotation", async () => {
    const { data, secret: first } = await add();
    const { secret: second, data: rotated } = await call<NewSecretResponse>({ id: data.id, action: "rotate" });
    expect(Date.parse(rotated.previous_secret_until!)).toBeGreaterThan(Date.now() + 23 * HOUR * 1_000);
    await act("test", data.id);
    const both = receiver.received.at(-1)!;
    for (const secret of [first, second]) verifyEvent(secret, both);
    expect(both.headers["webhook-signature"]!.split(" ")).toHaveLength(2);
    await pass(25 * HOUR);
    await act("test", data.id);
    verifyEvent(second, receiver.received.at(-1)!);
    expect(() => verifyEvent(first, receiver.received.at(-1)!)).toThrow("No matching signature");
    const third = (await call<NewSecretResponse>({ id: data.id, action: "rotate" })).secret;
    await act("test", data.id);
    for (const secret of [second, third]) verifyEvent(secret, receiver.received.at(-1)!);
  });

  it("replays a delivery with its id", async () => {
    const { data } = await add();
    await write();
    await expect.poll(() => receiver.received.length).toBe(1);
    await expect.poll(async () => (await log(data.id))[0]!.status).toBe("delivered");
    const [logged] = await log(data.id);
    const { data: replayed } = await act("replay", data.id, { delivery_id: logged!.id });
    expect(replayed).toMatchObject({ status: "delivered", event_id: logged!.event_id });
    expect(receiver.received.map(({ id, body }) => [id, body])).toEqual(
      Array.from({ length: 2 }, () => [logged!.event_id, replayed.body]),
    );
    await act("update", data.id, { enabled: false });
    expect(await act("replay", data.id, { delivery_id: logged!.id })).toMatchObject({
      error: "This webhook is turned off. Turn it on, then replay.",
    });
  });
});

describe("deliveries", () => {
  it("write nothing for an event that nobody wants", async () => {
    await add({ events: ["published"] });
    await add({ enabled: false });
    await write("job.completed");
    expect(await server.context.db.selectFrom("outgoing_events").selectAll().execute()).toEqual([]);
  });

  it("give a receiver that was down for a day all events, each with one id", async () => {
    let isUp = false;
    receiver.respond((_, response) => {
      if (isUp) response.writeHead(200).end();
      else response.socket!.destroy();
    });
    const { data, secret } = await add({ events: EVENT_TYPES });
    for (const type of EVENT_TYPES) await write(type, { job_name: "Spring" });
    const attemptsOf = async () => (await log(data.id)).map(({ attempts }) => attempts);
    for (const [made, seconds] of [
      [1, 6],
      [2, 330],
      [3, 0.55 * HOUR],
      [4, 2.2 * HOUR],
      [5, 5.5 * HOUR],
      [6, 11 * HOUR],
    ] as const) {
      await expect.poll(attemptsOf).toEqual(EVENT_TYPES.map(() => made));
      await pass(seconds);
    }
    await expect.poll(attemptsOf).toEqual(EVENT_TYPES.map(() => 7));
    expect(await only()).toMatchObject({
      pending: EVENT_TYPES.length,
      enabled: true,
      failing_since: expect.any(String),
    });
    isUp = true;
    await pass(15.4 * HOUR);
    await expect.poll(async () => (await only()).pending).toBe(0);
    expect(await only()).toMatchObject({ failing_since: null, enabled: true });
    const byId = Map.groupBy(receiver.received, ({ id }) => id);
    expect([...byId.values()].map((same) => same.length)).toEqual(EVENT_TYPES.map(() => 8));
    for (const request of receiver.received) verifyEvent(secret, request);
    expect(new Set(receiver.received.map(({ event }) => event.type))).toEqual(new Set(EVENT_TYPES));
  });

  it("end after ten attempts in 75 hours, and turn the webhook off", async () => {
    receiver.respond((_, response) => response.writeHead(503).end());
    const { data } = await add();
    let hours = 0;
    await write();
    for (let made = 1; made < 10; made += 1) {
      await expect.poll(async () => (await log(data.id))[0]!.attempts).toBe(made);
      const next = Date.parse((await log(data.id))[0]!.next_attempt_at!);
      const seconds = (next - Date.now()) / 1_000 + 1;
      hours += seconds / HOUR;
      await pass(seconds);
    }
    await expect.poll(async () => (await log(data.id))[0]!.status).toBe("failed");
    expect(hours).toBeGreaterThan(75);
    expect(hours).toBeLessThan(84);
    expect(await only()).toMatchObject({ enabled: false, disabled_reason: "failing" });
    const [entry] = await server.context.db.selectFrom("audit_entries").selectAll().orderBy("id", "desc").execute();
    expect(entry).toMatchObject({
      action: "webhooks.disable",
      subject: data.id,
      subject_name: receiver.authority,
      email: "clipmill",
    });
    expect(await call<{ data: Webhook }>({ id: data.id, action: "update", enabled: true })).toMatchObject({
      data: { enabled: true, disabled_reason: null, failing_since: null },
    });
  });

  it("end when the webhook is turned off, by the response 410 or in Settings, and can then be replayed", async () => {
    receiver.respond((_, response) => response.writeHead(503).end());
    const { data } = await add();
    const attempts = async () => (await log(data.id)).map((delivery) => [delivery.status, delivery.attempts]);
    await write();
    await expect.poll(attempts).toEqual([["pending", 1]]);
    receiver.respond((_, response) => response.writeHead(410).end());
    await write();
    await expect.poll(attempts).toEqual([
      ["failed", 1],
      ["failed", 1],
    ]);
    expect(await only()).toMatchObject({ enabled: false, disabled_reason: "gone", pending: 0 });
    const turnOn = (enabled: boolean) => act("update", data.id, { enabled });
    await turnOn(true);
    receiver.respond((_, response) => response.writeHead(503).end());
    await write();
    await expect.poll(only).toMatchObject({ pending: 1, failing_since: expect.any(String) });
    await turnOn(false);
    await expect.poll(only).toMatchObject({ pending: 0 });
    await turnOn(true);
    receiver.respond((_, response) => response.writeHead(204).end());
    const [ended] = await log(data.id);
    expect((await act("replay", data.id, { delivery_id: ended!.id })).data.status).toBe("delivered");
  });

  it("do not follow redirects", async () => {
    receiver.respond((_, response) => response.writeHead(307, { location: other.url }).end());
    const { data } = await add();
    expect((await act("test", data.id)).data.attempts).toMatchObject([
      { status: 307, error: "The receiver returned a redirect (307), which is not followed." },
    ]);
    expect(other.received).toEqual([]);
  });

  it("never connect to a name that leads to a private address", async () => {
    let connections = 0;
    const inside = net.createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    inside.listen(0, "127.0.0.1");
    await once(inside, "listening");
    onTestFinished(() => void inside.close());
    const { port } = inside.address() as AddressInfo;
    // The address is checked where it is used: a name that resolved elsewhere when it was added is no exception.
    const { data } = await add({ url: `https://localhost:${port}/` });
    expect((await act("test", data.id)).data.attempts).toMatchObject([
      { status: null, error: "The address is not public, so nothing was sent. ALLOW_PRIVATE_WEBHOOKS can allow it." },
    ]);
    expect(connections).toBe(0);
  });

  it("are not held up by a slow webhook", async () => {
    const held: (() => void)[] = [];
    receiver.respond((_, response) => held.push(() => response.writeHead(204).end()));
    const slow = await add();
    await add({ url: other.url });
    for (let event = 0; event < 10; event += 1) await write();
    await expect.poll(() => other.received.length).toBe(10);
    // So many at the same time, for each webhook.
    expect(receiver.received).toHaveLength(4);
    receiver.respond((_, response) => response.writeHead(204).end());
    for (const release of held) release();
    await expect
      .poll(async () => (await log(slow.data.id)).map(({ status }) => status))
      .toEqual(Array.from({ length: 10 }, () => "delivered"));
    expect(receiver.received).toHaveLength(10);
  });

  it("fail without calling anybody while the secret cannot be decrypted", async () => {
    const { data } = await add();
    await sql`update webhooks set sealed_secret = null`.execute(server.context.db);
    expect(await only()).toMatchObject({ needs_secret: true });
    expect((await act("test", data.id)).data.attempts).toMatchObject([
      { error: "The secret cannot be decrypted, so nothing was sent. Rotate it." },
    ]);
    expect(receiver.received).toEqual([]);
    const { secret } = await call<NewSecretResponse>({ id: data.id, action: "rotate" });
    await act("test", data.id);
    verifyEvent(secret, receiver.received[0]!);
  });

  it("are deleted after 30 days", async () => {
    const { data } = await add({ url: "http://127.0.0.1:9/" });
    await write();
    await sql`update outgoing_events set created_at = now() - interval '29 days'`.execute(server.context.db);
    await deleteOldEvents(server.context, new Date());
    expect(await log(data.id)).toHaveLength(1);
    await deleteOldEvents(server.context, new Date(Date.now() + 25 * HOUR * 1_000));
    expect(await log(data.id)).toEqual([]);
  });
});
