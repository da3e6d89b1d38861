import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type S3Server, startS3Server } from "#tests/support/twins/s3-server.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { openTestContext } from "#tests/support/test-context.ts";
import { findFreePort } from "#tests/support/network/free-port.ts";
import type { Context } from "../context.ts";
import type { ActorContext } from "../audit/write-audit.ts";
import { createJob } from "../jobs/create/create-job.ts";
import { writeSetting } from "../settings/write-setting.ts";
import { createSecretBox } from "../settings/secret-box.ts";
import { addConnection, changeConnection, removeConnection } from "./change-connection.ts";
import { listConnections } from "./list-connections.ts";
import { signS3 } from "./kinds/s3.ts";
import { testConnection } from "./test-connection.ts";

const SECRET = "a/secret+access/key";
const FIELDS = {
  kind: "s3",
  name: "Archive",
  endpoint: "",
  region: "eu-west-1",
  access_key_id: "AKIA0000",
  secret_access_key: SECRET,
  buckets: ["archive"],
};

const folder = await makeScratchFolder();
const stack = new AsyncDisposableStack();
let context: Context & ActorContext;
let store: S3Server;

beforeAll(async () => {
  store = await startS3Server();
  stack.defer(() => store.close());
  const hosts = { privateSources: [`127.0.0.1:${store.port}`] };
  ({ context } = await openTestContext(stack, folder, { hosts }));
});
afterAll(() => stack.disposeAsync());
beforeEach(async () => {
  await context.db.deleteFrom("connections").execute();
  await context.db.deleteFrom("jobs").execute();
});

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: Error) => error.message,
  );
const add = (more: object = {}) => addConnection(context, { ...FIELDS, ...more });

/** Accepted by the twin. */
const storeFields = () => ({
  ...FIELDS,
  endpoint: store.location.endpoint,
  access_key_id: "S3RVER",
  secret_access_key: "S3RVER",
  path_style: true,
  buckets: ["clips"],
});

describe("a connection", () => {
  it("is saved without ever returning its secret", async () => {
    const added = await add({ name: "  Archive ", buckets: ["archive", "archive", ""] });
    expect(added).toMatchObject({
      name: "Archive",
      endpoint: null,
      region: "eu-west-1",
      buckets: ["archive"],
      path_style: false,
      version: 1,
      last4: "/key",
      needs_secret: false,
      last_used_at: null,
      used_by: [],
      used_by_total: 0,
    });
    const row = await context.db.selectFrom("connections").selectAll().executeTakeFirstOrThrow();
    expect(JSON.stringify([added, row, await listConnections(context)])).not.toContain(SECRET);
  });

  it("keeps its secret when changed without one, and rejects a change based on older fields", async () => {
    const { id } = await add();
    const change = { ...FIELDS, id, version: 1, name: "Old", secret_access_key: "" };
    expect(await changeConnection(context, change)).toMatchObject({ name: "Old", version: 2, last4: "/key" });
    expect(await errorOf(changeConnection(context, change))).toContain("changed elsewhere");
    const replaced = { ...change, version: 2, secret_access_key: "another-secret-key" };
    expect(await changeConnection(context, replaced)).toMatchObject({ last4: "-key", version: 3 });
    await removeConnection(context, { id });
    await removeConnection(context, { id });
    expect(await errorOf(changeConnection(context, { ...change, version: 3 }))).toContain("no longer exists");
  });

  it("says in one sentence why fields are rejected", async () => {
    await add();
    for (const [wrong, sentence] of [
      [{}, 'There is already a connection named "Archive".'],
      [{ name: "ARCHIVE" }, "already a connection named"],
      [{ name: "Other" }, 'The bucket "archive" belongs to the connection "Archive".'],
      [{ name: " " }, "Enter a name."],
      [{ name: "a\u202Eb" }, "invisible characters"],
      [{ name: "x".repeat(101) }, "at most 100 characters"],
      [{ kind: "ftp" }, "kind: must be s3, dropbox, drive, sftp or postiz"],
      [{ region: "" }, "Enter the region"],
      [{ region: "evil.example/" }, "Regions contain only"],
      [{ access_key_id: "" }, "Enter the access key ID."],
      [{ access_key_id: "a b" }, "can't contain spaces"],
      [{ secret_access_key: "" }, "Enter the secret access key."],
      [{ secret_access_key: "ключ" }, "can't contain spaces or special characters"],
      [{ buckets: ["Not A Bucket"] }, '"Not A Bucket" is not a bucket name.'],
      [{ endpoint: "minio" }, "must start with https://"],
      [{ endpoint: "https://key:secret@minio.example" }, "must not contain credentials"],
      [{ endpoint: "http://minio.example:9000" }, "add minio.example:9000 to ALLOW_PRIVATE_SOURCES"],
      [{ endpoint: "https://10.0.0.5:9000" }, "add 10.0.0.5:9000 to ALLOW_PRIVATE_SOURCES"],
      [{ endpoint: "https://[::1]" }, "The endpoint is on a private network."],
      [{ endpoint: "https://2130706433" }, "The endpoint is on a private network."],
    ] as const) {
      expect([wrong, await errorOf(add(wrong))]).toEqual([wrong, expect.stringContaining(sentence)]);
    }
    expect(await listConnections(context)).toHaveLength(1);
  });

  it("adds one connection for a double submit", async () => {
    const results = await Promise.allSettled([add(), add()]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  it("names the unfinished jobs that need it, and is removed under them only on request", async () => {
    await writeSetting(context.db, "source_hosts", JSON.stringify(["s3"]));
    const { id } = await add();
    await add({ name: "Rest", buckets: [] });
    const job = await createJob(
      context,
      { job_name: "A job", input_videos: ["s3://archive/a b#1.mp4", "s3://new/c.mp4"] },
      null,
    );
    expect((await listConnections(context)).map(({ name, used_by }) => [name, used_by])).toEqual([
      ["Archive", [{ id: job.id, name: "A job", type: "job" }]],
      ["Rest", [{ id: job.id, name: "A job", type: "job" }]],
    ]);
    expect(await errorOf(removeConnection(context, { id }))).toContain('The job "A job" needs this connection');
    await removeConnection(context, { id, force: true });
    expect((await listConnections(context)).map(({ name }) => name)).toEqual(["Rest"]);
  });

  it("asks for its secret again after APP_SECRET was lost", async () => {
    await add();
    const secrets = createSecretBox("another secret that is long enough");
    expect(await listConnections({ ...context, secrets })).toMatchObject([{ needs_secret: true, last4: null }]);
    const request = { action: "get", bucket: "archive", key: "a.mp4" } as const;
    expect(await errorOf(signS3({ ...context, secrets }, request))).toContain("Enter it again in Settings.");
  });
});

describe("the test of a connection", () => {
  it("asks the store, with typed fields or saved ones", async () => {
    expect(await testConnection(context, storeFields())).toEqual({
      isValid: true,
      message: "The connection can read the bucket.",
    });
    const { id } = await addConnection(context, storeFields());
    expect(await testConnection(context, { id })).toMatchObject({ isValid: true });
    const withoutBuckets = { ...storeFields(), id, secret_access_key: "", buckets: [] };
    expect(await testConnection(context, withoutBuckets)).toEqual({ isValid: true, message: "The connection works." });
  });

  it("explains each error", async () => {
    const silent = `127.0.0.1:${await findFreePort()}`;
    const other = { ...context, hosts: { ...context.hosts, privateSources: [silent] } };
    for (const [wrong, sentence, tester = context] of [
      [{ access_key_id: "AKIA" }, "The access key ID is not valid."],
      [{ secret_access_key: "wrong" }, "The secret access key is wrong."],
      [{ buckets: ["none-such"] }, 'The bucket "none-such" does not exist.'],
      [{ secret_access_key: "" }, "Enter the secret access key."],
      [{ endpoint: `http://${silent}` }, 'The bucket "clips" could not be reached.', other],
      // The name resolves to this machine.
      [{ endpoint: "https://localhost:9" }, 'The endpoint of the connection "Archive" is on a private network.'],
      [{ endpoint: "http://localhost:9" }, "The endpoint must start with https://."],
    ] as const) {
      const result = await testConnection(tester, { ...storeFields(), ...wrong });
      expect([wrong, result]).toEqual([wrong, { isValid: false, message: expect.stringContaining(sentence) }]);
    }
    expect(await testConnection(context, { id: crypto.randomUUID() })).toMatchObject({ isValid: false });
  });
});
