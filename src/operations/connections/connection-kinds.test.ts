import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SftpSettings } from "#contract/connections/connections.ts";
import { findFreePort } from "#tests/support/network/free-port.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { openTestContext } from "#tests/support/test-context.ts";
import {
  type DriveAccountTwin,
  driveKeyOf,
  startDriveAccountTwin,
} from "#tests/support/twins/stores/drive-account-twin.ts";
import { type DropboxApiTwin, startDropboxApiTwin } from "#tests/support/twins/stores/dropbox-api-twin.ts";
import { makeSshKey } from "#tests/support/twins/stores/make-ssh-key.ts";
import { type SftpServer, startSftpServer } from "#tests/support/twins/stores/sftp-server.ts";
import type { ActorContext } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { createJob } from "../jobs/create/create-job.ts";
import { createSecretBox } from "../settings/secret-box.ts";
import { writeSetting } from "../settings/write-setting.ts";
import { addConnection, changeConnection } from "./change-connection.ts";
import { listConnections } from "./list-connections.ts";
import { openRemoteStore } from "./open-connection.ts";
import { testConnection } from "./test-connection.ts";

const folder = await makeScratchFolder();
const stack = new AsyncDisposableStack();
let context: Context & ActorContext;
let dropbox: DropboxApiTwin;
let drive: DriveAccountTwin;
let sftp: SftpServer;
let other: number;

beforeAll(async () => {
  dropbox = await startDropboxApiTwin();
  drive = await startDriveAccountTwin();
  sftp = await startSftpServer(await makeScratchFolder());
  other = await findFreePort();
  for (const twin of [dropbox, drive, sftp]) stack.defer(() => twin.close());
  const privateSources = [`127.0.0.1:${sftp.port}`, `127.0.0.1:${other}`];
  const baseUrls = { ...dropbox.environment, ...drive.environment };
  ({ context } = await openTestContext(stack, folder, { hosts: { privateSources, baseUrls } }));
});
afterAll(() => stack.disposeAsync());
beforeEach(async () => {
  await context.db.deleteFrom("connections").execute();
  await context.db.deleteFrom("jobs").execute();
});
afterEach(() => {
  sftp.way = "normal";
  sftp.signIns.length = 0;
});

const KINDS = ["dropbox", "drive", "sftp"] as const;
const fieldsOf = (kind: (typeof KINDS)[number]) => ({ name: kind, ...{ dropbox, drive, sftp }[kind].fields });
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: Error) => error.message,
  );

describe.each(KINDS)("a connection of kind %s", (kind) => {
  it("is tested, saved without ever returning its secrets, and opened", async () => {
    const fields = fieldsOf(kind);
    expect(await testConnection(context, fields)).toMatchObject({ isValid: true });
    const added = await addConnection(context, fields);
    const kept = await changeConnection(context, {
      ...withoutSecrets(fields),
      id: added.id,
      version: 1,
      name: "Other",
    });
    expect(kept).toMatchObject({ name: "Other", kind, version: 2, needs_secret: false });
    expect(await testConnection(context, { id: added.id })).toMatchObject({ isValid: true });
    expect(await testConnection(context, { ...withoutSecrets(fields), id: added.id })).toMatchObject({ isValid: true });
    const row = await context.db.selectFrom("connections").selectAll().executeTakeFirstOrThrow();
    const shown = JSON.stringify([added, kept, row, await listConnections(context)]);
    for (const secret of secretsOf(fields)) expect(shown).not.toContain(secret);
    const store = await openRemoteStore(context, added.id, new AbortController().signal);
    for await (const _ of store.list(kind === "drive" ? "root" : "")) break;
    await store.close();
    expect((await listConnections(context))[0]!.last_used_at).not.toBeNull();
  });

  it("asks for its secrets again after APP_SECRET was lost", async () => {
    const { id } = await addConnection(context, fieldsOf(kind));
    const secrets = createSecretBox("another secret that is long enough");
    expect(await listConnections({ ...context, secrets })).toMatchObject([{ needs_secret: true, last4: null }]);
    const opened = openRemoteStore({ ...context, secrets }, id, new AbortController().signal);
    expect(await errorOf(opened)).toContain("Enter it again in Settings.");
    expect(await testConnection({ ...context, secrets }, { id })).toMatchObject({ isValid: false });
  });
});

const SECRETS = new Set([
  "app_secret",
  "refresh_token",
  "service_account_key",
  "password",
  "private_key",
  "passphrase",
]);

function withoutSecrets(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !SECRETS.has(name)));
}

function secretsOf(fields: object): string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    SECRETS.has(name) ? [name === "service_account_key" ? "PRIVATE KEY" : String(value)] : [],
  );
}

it("says in one sentence why fields are rejected", async () => {
  for (const [kind, wrong, sentence] of [
    ["dropbox", { app_key: "" }, "Enter the app key."],
    ["dropbox", { app_secret: "" }, "Enter the app secret."],
    ["dropbox", { refresh_token: "a b" }, "The refresh token can't contain spaces"],
    ["drive", { service_account_key: "" }, "Paste the service account's JSON key."],
    ["drive", { service_account_key: '{"type":"authorized_user"}' }, "This is not a service account's JSON key."],
    ["drive", { service_account_key: "x".repeat(20_001) }, "20000"],
    ["sftp", { host: "" }, "Enter the host."],
    ["sftp", { host: "sftp://files.example" }, "Enter only the host's name"],
    ["sftp", { host: "10.0.0.5", port: 22 }, "add 10.0.0.5:22 to ALLOW_PRIVATE_SOURCES"],
    ["sftp", { host: "::1", port: "" }, "add [::1]:22 to ALLOW_PRIVATE_SOURCES"],
    ["sftp", { port: 70_000 }, "Ports are numbers from 1 to 65535."],
    ["sftp", { username: "a\nb" }, "Usernames can't contain line breaks"],
    ["sftp", { sign_in: "certificate" }, "sign_in"],
    ["sftp", { password: "" }, "Enter the password."],
    ["sftp", { sign_in: "private_key" }, "Paste the private key."],
    ["sftp", { sign_in: "private_key", private_key: "ssh-ed25519 AAAA" }, "Paste the whole private key"],
    ["sftp", { host_key_fingerprint: "" }, "Test the connection to see the server's fingerprint"],
    ["sftp", { host_key_fingerprint: "MD5:aa" }, 'A fingerprint is "SHA256:" followed by'],
  ] as const) {
    const result = await errorOf(addConnection(context, { ...fieldsOf(kind), ...wrong }));
    expect([kind, wrong, result]).toEqual([kind, wrong, expect.stringContaining(sentence)]);
  }
  expect(await listConnections(context)).toEqual([]);
});

it("explains each error of a service", async () => {
  const key = JSON.parse(drive.fields.service_account_key) as object;
  const damaged = JSON.stringify({
    ...key,
    private_key: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
  });
  for (const [kind, wrong, sentence] of [
    ["dropbox", { app_key: "another" }, "The app key or app secret is wrong."],
    ["dropbox", { refresh_token: "revoked" }, "The refresh token is wrong or was revoked."],
    ["drive", { service_account_key: driveKeyOf("other@project.iam.gserviceaccount.com") }, "Google rejected the key"],
    ["drive", { service_account_key: damaged }, 'The private key of the connection "drive" is damaged.'],
    ["sftp", { password: "wrong" }, "127.0.0.1 rejected the user or password."],
    ["sftp", { port: other }, "127.0.0.1 could not be reached."],
    ["sftp", { host: "localhost" }, 'The host of the connection "sftp" is on a private network. Add localhost:'],
  ] as const) {
    const result = await testConnection(context, { ...fieldsOf(kind), ...wrong });
    expect([wrong, result]).toEqual([wrong, { isValid: false, message: expect.stringContaining(sentence) }]);
  }
  sftp.way = "noSftp";
  expect(await testConnection(context, fieldsOf("sftp"))).toMatchObject({
    message: expect.stringContaining("does not offer SFTP"),
  });
  sftp.way = "garbage";
  expect(await testConnection(context, fieldsOf("sftp"))).toMatchObject({
    message: expect.stringContaining("did not respond like an SFTP server"),
  });
  dropbox.faults.push({ path: "get_current_account", response: { status: 500 } });
  expect(await testConnection(context, fieldsOf("dropbox"))).toMatchObject({
    isValid: false,
    message: expect.stringContaining("having problems"),
  });
  const scope = JSON.stringify({
    error_summary: "missing_scope/..",
    error: { ".tag": "missing_scope", required_scope: "files.metadata.read" },
  });
  for (let time = 0; time < 2; time += 1)
    dropbox.faults.push({ path: "list_folder", response: { status: 401, body: scope } });
  expect(await testConnection(context, fieldsOf("dropbox"))).toMatchObject({
    isValid: false,
    message: expect.stringContaining("Grant the permission files.metadata.read"),
  });
});

describe("an SFTP connection", () => {
  it("shows the host key to accept, and sends nothing to a server with another one", async () => {
    const fields = fieldsOf("sftp");
    const { host_key_fingerprint: fingerprint } = sftp.fields;
    const first = await testConnection(context, { ...fields, host_key_fingerprint: "" });
    expect(first).toEqual({
      isValid: false,
      message: expect.stringContaining(`has the host key ${fingerprint}`),
      found: { host_key_fingerprint: fingerprint },
    });
    const changed = await testConnection(context, { ...fields, host_key_fingerprint: `SHA256:${"A".repeat(43)}` });
    expect(changed).toMatchObject({ isValid: false, message: expect.stringContaining("so nothing was sent") });
    expect(sftp.signIns).toEqual([]);
  });

  it("never sends a saved password to another server", async () => {
    const fields = fieldsOf("sftp");
    const { id } = await addConnection(context, fields);
    const moved = { ...withoutSecrets(fields), id, version: 1, port: other };
    expect(await errorOf(changeConnection(context, moved))).toBe(
      "The server changed, so its saved secret is not used. Enter the password.",
    );
    expect(await testConnection(context, moved)).toMatchObject({
      isValid: false,
      message: expect.stringContaining("The server changed"),
    });
    expect(await changeConnection(context, { ...moved, password: "another" })).toMatchObject({
      port: other,
      version: 2,
    });
  });

  it("signs in with a private key, and says if its passphrase is missing or wrong", async () => {
    const { private: key, public: publicKey } = makeSshKey({
      passphrase: "open",
      cipher: "aes256-ctr",
      rounds: 4,
    });
    sftp.acceptedKey = publicKey;
    const fields = { ...fieldsOf("sftp"), password: "", sign_in: "private_key", private_key: key, passphrase: "open" };
    expect(await testConnection(context, fields)).toMatchObject({ isValid: true });
    for (const [passphrase, sentence] of [
      ["", "has a passphrase. Enter it in Settings."],
      ["wrong", "does not open with this passphrase."],
    ] as const) {
      expect(await testConnection(context, { ...fields, passphrase })).toEqual({
        isValid: false,
        message: expect.stringContaining(sentence),
      });
    }
    const added = await addConnection(context, fields);
    const { settings } = await context.db.selectFrom("connections").select("settings").executeTakeFirstOrThrow();
    expect(settings satisfies unknown as SftpSettings).toMatchObject({ sign_in: "private_key", port: sftp.port });
    expect(added.last4).toBeNull();
  });
});

it("is needed by jobs with files of shared Dropbox folders", async () => {
  await writeSetting(context.db, "source_hosts", JSON.stringify(["dropbox"]));
  const { id } = await addConnection(context, fieldsOf("dropbox"));
  const link = "https://www.dropbox.com/scl/fo/a1/AAx/clip.mp4?rlkey=k3y";
  const job = await createJob(context, { job_name: "Folder", input_videos: [link] }, null);
  await createJob(
    context,
    { job_name: "File", input_videos: ["https://www.dropbox.com/scl/fi/a1/clip.mp4?rlkey=k"] },
    null,
  );
  expect(await listConnections(context)).toMatchObject([
    { id, used_by: [{ id: job.id, name: "Folder", type: "job" }], used_by_total: 1 },
  ]);
});
