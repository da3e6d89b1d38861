import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { LibraryFile, ResumableUploadsResponse, UploadResponse } from "#contract/calls.ts";
import { createAccount } from "#operations/accounts/create-account.ts";
import { openResumableUploads } from "#operations/library/resumable/resumable-uploads.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { STORAGES } from "#tests/support/servers/storages.ts";
import { createTusSender, type TusResponse, type TusSender } from "#tests/support/servers/tus-requests.ts";

const OTHER = { email: "other@clipmill.local", password: "long enough for this" };
const GONE = { error: "This upload no longer exists. Start it again." };

function errorOf({ status, body }: TusResponse) {
  return [status, body === "" ? null : { error: (JSON.parse(body) as { error: string }).error }] as const;
}
const inHours = (count: number) => new Date(Date.now() + count * 3_600_000);

describe("resumable uploads", () => {
  let server: TestServer;
  let token: string;
  let sender: TusSender;
  let other: TusSender;
  let clip: Buffer;
  let parts: string;

  beforeAll(async () => {
    server = await startTestServer();
    parts = path.join(server.folder, "resumable-uploads");
    token = (await server.client.auth.getSession()).data.session!.access_token;
    sender = createTusSender(server.url, token);
    await createAccount(server.context, OTHER);
    const { data } = await server.newClient().auth.signInWithPassword(OTHER);
    other = createTusSender(server.url, data.session!.access_token);
    await makeClip(path.join(server.folder, "clip.mp4"), { seconds: 1 });
    clip = await readFile(path.join(server.folder, "clip.mp4"));
  });
  afterAll(() => server.close());
  afterEach(async () => {
    for (const { id } of await known()) await sender.request("DELETE", `/uploads/tus/${id}`);
    const { data } = await server.client.functions.invoke<{ data: LibraryFile[] }>("library", {
      body: { method: "GET" },
    });
    for (const { id } of data!.data) {
      await server.client.functions.invoke("library", { body: { method: "DELETE", id } });
    }
  });

  async function known(of = sender): Promise<ResumableUploadsResponse["data"]> {
    return (JSON.parse((await of.request("GET", "/uploads/tus")).body) as ResumableUploadsResponse).data;
  }
  const readResult = async (at: string): Promise<UploadResponse> =>
    JSON.parse((await sender.request("GET", at)).body) as UploadResponse;
  const partOf = (at: string) => path.join(parts, path.basename(at));
  const storedBytes = async (id: string) => buffer(await server.context.storage.read(`library/${id}`));

  it("continue where a cut connection ended, and become library files with the same bytes", async () => {
    const at = await sender.create(clip.length, { name: "beach.mp4", fingerprint: "f1", screen: "library" });
    expect(at).toMatch(/^\/uploads\/tus\/[\w-]{22}$/);
    const half = Math.floor(clip.length / 2);
    const sending = sender.startSending(at, 0, clip.subarray(0, half), clip.length);
    await expect.poll(async () => (await stat(partOf(at))).size).toBe(half);
    const id = path.basename(at);
    const facts = { id, name: "beach.mp4", use: "video", sizeBytes: clip.length, fingerprint: "f1", screen: "library" };
    expect(await known()).toEqual([{ ...facts, receivedBytes: half, state: "receiving" }]);
    sending.cut();
    await expect.poll(() => known()).toEqual([{ ...facts, receivedBytes: half, state: "waiting" }]);
    expect(await sender.offsetOf(at)).toBe(half);
    expect(errorOf(await sender.request("GET", at))).toEqual([
      409,
      { error: `Only ${half} of the file's ${clip.length} bytes have arrived.` },
    ]);

    const response = await sender.send(at, half, clip.subarray(half));
    expect([response.status, response.headers["upload-offset"]]).toEqual([204, String(clip.length)]);
    const { data, isDuplicate } = await readResult(at);
    expect([data.name, data.kind, data.sizeBytes, isDuplicate]).toEqual(["beach.mp4", "video", clip.length, false]);
    expect((await storedBytes(data.id)).equals(clip)).toBe(true);
    expect((await fetch(server.url + data.thumbnailUrl)).status).toBe(200);
    // The sender may have missed the response: offset and result stay.
    expect(await sender.offsetOf(at)).toBe(clip.length);
    expect((await readResult(at)).data.id).toBe(data.id);
    expect(await known()).toEqual([{ ...facts, receivedBytes: clip.length, state: "finished" }]);
    expect((await readdir(parts)).filter((name) => !name.endsWith(".json"))).toEqual([]);
    const audit = server.context.db.selectFrom("audit_entries").selectAll().where("action", "=", "library.upload");
    expect(await audit.execute()).toMatchObject([{ email: "operator@clipmill.local" }]);
  });

  it.each(STORAGES)("are stored in $kind", async ({ openStorage }) => {
    const elsewhere = await startTestServer(undefined, { openStorage });
    try {
      const session = (await elsewhere.client.auth.getSession()).data.session!;
      const sending = createTusSender(elsewhere.url, session.access_token);
      const at = await sending.create(clip.length);
      await sending.send(at, 0, clip.subarray(0, 1_000));
      await sending.send(at, 1_000, clip.subarray(1_000));
      const { data } = JSON.parse((await sending.request("GET", at)).body) as UploadResponse;
      expect((await buffer(await elsewhere.context.storage.read(`library/${data.id}`))).equals(clip)).toBe(true);
    } finally {
      await elsewhere.close();
    }
  });

  it("of a file in the library return that file", async () => {
    const ids = [];
    for (const name of ["first.mp4", "second.mp4"]) {
      const at = await sender.create(clip.length, { filename: name });
      expect((await sender.send(at, 0, clip)).status).toBe(204);
      const { data, isDuplicate } = await readResult(at);
      ids.push([data.id, data.name, isDuplicate]);
    }
    expect(ids).toEqual([
      [ids[0]![0], "first.mp4", false],
      [ids[0]![0], "first.mp4", true],
    ]);
  });

  it("start again once their file has been deleted from the library", async () => {
    const at = await sender.create(clip.length);
    await sender.send(at, 0, clip);
    const { data } = await readResult(at);
    await server.client.functions.invoke("library", { body: { method: "DELETE", id: data.id } });
    expect(errorOf(await sender.request("GET", at))).toEqual([404, GONE]);
    expect((await sender.request("HEAD", at)).status).toBe(404);
  });

  it("of a file that cannot be used are rejected in one sentence and leave nothing", async () => {
    const before = await readdir(parts);
    const text = Buffer.from("Not a video at all. ".repeat(2_000));
    const at = await sender.create(text.length);
    expect(errorOf(await sender.send(at, 0, text))).toEqual([422, { error: "This file is not a video." }]);
    expect(await readdir(parts)).toEqual(before);
    expect((await sender.request("HEAD", at)).status).toBe(404);
  });

  it("keep all bytes if the library cannot store them, and finish later without them", async () => {
    const at = await sender.create(clip.length);
    const { storage } = server.context;
    const put = storage.put.bind(storage);
    storage.put = () => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }));
    const full = { error: "The disk is full. Free some space, then upload the file again." };
    expect(errorOf(await sender.send(at, 0, clip))).toEqual([507, full]);
    expect(errorOf(await sender.request("GET", at))).toEqual([507, full]);
    storage.put = put;
    expect(await sender.offsetOf(at)).toBe(clip.length);
    expect((await storedBytes((await readResult(at)).data.id)).equals(clip)).toBe(true);
  });

  it("survive a restart; leftovers without a record and damaged records do not", async () => {
    const folder = path.join(server.folder, "other-parts");
    const upload = {
      ...{ accountId: "a", name: "x.mp4", use: "video" as const, sizeBytes: 10 },
      ...{ fingerprint: null, screen: null },
    };
    const ids = ["kept", "lost", "torn", "long"].map((name) => name.padEnd(22, "-"));
    {
      await using uploads = await openResumableUploads(folder);
      for (const id of ids) await uploads.create({ id, ...upload });
      await uploads.append(ids[0]!, piecesOf("12345"));
      await uploads.append(ids[3]!, piecesOf("12345678901"));
    }
    await writeFile(path.join(folder, "stray"), "left by a killed server");
    await writeFile(path.join(folder, `${ids[2]}.json`), '{"id":');
    await rm(path.join(folder, ids[1]!));
    await using uploads = await openResumableUploads(folder);
    expect(new Set(await readdir(folder))).toEqual(new Set([ids[0], `${ids[0]}.json`]));
    expect([await uploads.receivedBytes(ids[0]!), uploads.list("a")]).toEqual([
      5,
      [{ ...upload, id: ids[0], result: null }],
    ]);
    for (const name of await readdir(folder)) expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await uploads.deleteExpired(inHours(23));
    expect(uploads.list("a")).toHaveLength(1);
    await uploads.deleteExpired(inHours(25));
    expect(await readdir(folder)).toEqual([]);
  });

  it("are checked until the server stops, and again after its start", async () => {
    const folder = path.join(server.folder, "stopped-parts");
    const id = "stopped".padEnd(22, "-");
    const facts = { accountId: "a", name: "x", use: "video", fingerprint: null, screen: null } as const;
    let check: Promise<unknown>;
    {
      await using uploads = await openResumableUploads(folder);
      await uploads.create({ id, ...facts, sizeBytes: 5 });
      await uploads.append(id, piecesOf("12345"));
      check = uploads.keepOnce(id, async (_, signal) => {
        await once(signal, "abort");
        throw new Error("stopped");
      });
      check.catch(() => {});
    }
    await expect(check).rejects.toThrow("stopped");
    await using uploads = await openResumableUploads(folder);
    const result = { fileId: "f", isDuplicate: false };
    const results = await Promise.all([1, 2].map(() => uploads.keepOnce(id, async () => result)));
    expect([results, await readdir(folder)]).toEqual([[result, result], [`${id}.json`]]);
  });

  it("make room for new ones once they are abandoned, and otherwise stop at 20 per account", async () => {
    const created = await Promise.all(
      Array.from({ length: 25 }, () => sender.create(10).catch((error: Error) => error)),
    );
    const rejected = created.filter((one) => one instanceof Error).map(({ message }) => message);
    const sentence = "You have 20 unfinished uploads. Wait for one to finish, or cancel one.";
    expect(rejected).toEqual(Array.from({ length: 5 }, () => expect.stringContaining(`429 {"error":"${sentence}"`)));
    expect((await other.request("DELETE", await other.create(10))).status).toBe(204);
    const now = Date.now;
    Date.now = () => now() + 3_700_000;
    try {
      const [oldest] = await known();
      const newest = await sender.create(10);
      const ids = (await known()).map(({ id }) => id);
      expect([ids.length, ids.includes(oldest!.id), ids.includes(path.basename(newest))]).toEqual([20, false, true]);
    } finally {
      Date.now = now;
    }
  });

  describe("belong to one account:", () => {
    it.each(["HEAD", "PATCH", "DELETE", "GET"])("%s by another one finds nothing", async (method) => {
      const at = await sender.create(clip.length);
      const headers = { "upload-offset": 0, "content-type": "application/offset+octet-stream" };
      const response = await other.request(method, at, method === "PATCH" ? headers : {}, Buffer.from("x"));
      expect(errorOf(response)).toEqual([404, method === "HEAD" ? null : GONE]);
      expect(await known(other)).toEqual([]);
      expect(await sender.offsetOf(at)).toBe(0);
    });
  });

  describe("accept one writer:", () => {
    it("a second request is rejected while the first sends data, and told apart by its offset afterwards", async () => {
      const at = await sender.create(clip.length);
      const first = sender.startSending(at, 0, clip.subarray(0, 1_000), clip.length);
      await expect.poll(async () => (await stat(partOf(at))).size).toBe(1_000);
      const busy = "This file is being uploaded in another tab or program. Wait for it to finish, then try again.";
      expect(errorOf(await sender.send(at, 1_000, clip.subarray(1_000)))).toEqual([423, { error: busy }]);
      expect((await sender.request("HEAD", at)).status).toBe(423);
      first.write(clip.subarray(1_000));
      expect((await first.response).status).toBe(204);
      expect(errorOf(await sender.send(at, 1_000, Buffer.from("x")))[0]).toBe(409);
      expect((await storedBytes((await readResult(at)).data.id)).equals(clip)).toBe(true);
    });

    it("a silent one is replaced, and keeps its bytes", async () => {
      const at = await sender.create(clip.length);
      const silent = sender.startSending(at, 0, clip.subarray(0, 1_000), clip.length);
      await expect.poll(async () => (await stat(partOf(at))).size).toBe(1_000);
      const now = Date.now;
      Date.now = () => now() + 6_000;
      try {
        expect(await sender.offsetOf(at)).toBe(1_000);
        expect((await sender.send(at, 1_000, clip.subarray(1_000))).status).toBe(204);
      } finally {
        Date.now = now;
      }
      silent.cut();
      const stored = await storedBytes((await readResult(at)).data.id);
      expect(createHash("sha256").update(stored).digest("hex")).toBe(createHash("sha256").update(clip).digest("hex"));
    });

    it("of two requests at the same time, one", async () => {
      const at = await sender.create(clip.length);
      const responses = await Promise.all([1, 2, 3].map(() => sender.send(at, 0, clip).catch(() => null)));
      const accepted = responses.filter((response) => response?.status === 204);
      expect(accepted.length).toBe(1);
      expect((await storedBytes((await readResult(at)).data.id)).equals(clip)).toBe(true);
    });

    it("canceling ends it and removes its bytes", async () => {
      const at = await sender.create(clip.length);
      const sending = sender.startSending(at, 0, clip.subarray(0, 1_000), clip.length);
      await expect.poll(async () => (await stat(partOf(at))).size).toBe(1_000);
      expect((await sender.request("DELETE", at)).status).toBe(204);
      sending.cut();
      expect((await readdir(parts)).filter((name) => name.startsWith(path.basename(at)))).toEqual([]);
      expect((await sender.request("DELETE", at)).status).toBe(404);
    });
  });

  describe("are rejected with", () => {
    const LENGTH = { "upload-length": "10" };
    it.each<[string, Record<string, string>, number, RegExp]>([
      ["no length", {}, 400, /^Upload-Length or Upload-Defer-Length/],
      ["an unknown length", { "upload-defer-length": "1" }, 501, /defer-length/],
      ["a negative length", { "upload-length": "-1" }, 400, /^Invalid upload-length$/],
      ["a fraction", { "upload-length": "1.5" }, 400, /^Invalid upload-length$/],
      ["no number", { "upload-length": "1e3" }, 400, /^Invalid upload-length$/],
      ["a number too large to be exact", { "upload-length": "9007199254740993" }, 400, /^Invalid upload-length$/],
      ["nothing in it", { "upload-length": "0" }, 400, /^This file is empty\.$/],
      ["more than 2 GB", { "upload-length": String(2 * 2 ** 30 + 1) }, 413, /^This file exceeds the 2 GB/],
      ["a large image", { "upload-length": "10485761", "upload-metadata": "use aW1hZ2U=" }, 413, /10 MB upload limit/],
      ["an unknown use", { ...LENGTH, "upload-metadata": "use cG9zdGVy" }, 400, /^use: /],
      ["metadata that is not base64", { ...LENGTH, "upload-metadata": "name ../etc" }, 400, /upload-metadata/],
      ["a key of Object.prototype", { ...LENGTH, "upload-metadata": "__proto__ eA==" }, 400, /upload-metadata/],
      ["two names", { ...LENGTH, "upload-metadata": "name eA==,name eQ==" }, 400, /upload-metadata/],
      ["a name without a value", { ...LENGTH, "upload-metadata": "name" }, 400, /^name: /],
      ["a long name", { ...LENGTH, "upload-metadata": `name ${btoa("x".repeat(3_000))}` }, 400, /at most 1,000 char/],
      ["a long fingerprint", { ...LENGTH, "upload-metadata": `fingerprint ${btoa("x".repeat(201))}` }, 400, /^fingerp/],
      ["parts to join", { ...LENGTH, "upload-concat": "partial" }, 201, /^$/],
      ["another version", { ...LENGTH, "tus-resumable": "0.2.2" }, 400, /tus-resumable/],
    ])("%s", async (_, headers, status, sentence) => {
      const response = await sender.request("POST", "/uploads/tus", headers);
      expect(response.status).toBe(status);
      expect(status === 201 ? "" : (JSON.parse(response.body) as { error: string }).error).toMatch(sentence);
      expect(response.headers["tus-resumable"]).toBe("1.0.0");
    });

    it("more bytes than announced, whose excess is not stored", async () => {
      const at = await sender.create(10);
      expect(errorOf(await sender.send(at, 0, Buffer.alloc(11)))[0]).toBe(413);
      const chunked = {
        "upload-offset": 0,
        "content-type": "application/offset+octet-stream",
        "transfer-encoding": "chunked",
      };
      const response = await fetch(server.url + at, {
        method: "PATCH",
        headers: { authorization: `Bearer ${token}`, "tus-resumable": "1.0.0", ...chunked, "upload-offset": "0" },
        body: new Blob([new Uint8Array(11)]).stream(),
        duplex: "half",
      } as RequestInit).catch(() => null);
      expect(response === null || response.status === 413).toBe(true);
      expect((await stat(partOf(at))).size).toBeLessThanOrEqual(10);
    });

    it.each([
      ["/uploads/tus/..%2F..%2Fsecret", 404],
      ["/uploads/tus/x.json", 404],
      ["/uploads/tus/%00", 404],
      ["/uploads/tus/%E0%A4%A", 404],
      [`/uploads/tus/${"x".repeat(22)}`, 404],
    ])("the unknown address %s", async (at, status) => {
      expect((await sender.request("HEAD", at)).status).toBe(status);
      expect((await sender.send(at, 0, Buffer.from("x"))).status).toBe(status);
      expect((await sender.request("DELETE", at)).status).toBe(status);
    });

    it("no offset, no type, or another offset", async () => {
      const at = await sender.create(10);
      const type = { "content-type": "application/offset+octet-stream" };
      const body = Buffer.from("x");
      expect((await sender.request("PATCH", at, type, body)).status).toBe(403);
      expect((await sender.request("PATCH", at, { "upload-offset": 0 }, body)).status).toBe(403);
      expect((await sender.request("PATCH", at, { "upload-offset": -1, ...type }, body)).status).toBe(400);
      expect((await sender.send(at, 5, body)).status).toBe(409);
      expect(await sender.offsetOf(at)).toBe(0);
    });
  });

  it("give no other site access, and respond with the security headers", async () => {
    const response = await sender.request("OPTIONS", "/uploads/tus", { origin: "https://evil.test" });
    expect([response.status, response.headers["tus-extension"]]).toEqual([204, "creation,termination,expiration"]);
    const created = await sender.request("POST", "/uploads/tus", { origin: "https://evil.test", "upload-length": 10 });
    for (const { headers } of [response, created]) {
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(headers["x-content-type-options"]).toBe("nosniff");
    }
  });

  it("are counted among the uploads in progress and need space for their rest", async () => {
    const at = await sender.create(clip.length);
    const others = Array.from({ length: 16 }, () => ({ leftBytes: 0 }));
    for (const one of others) server.uploadsInProgress.add(one);
    expect((await sender.send(at, 0, clip)).status).toBe(429);
    server.uploadsInProgress.clear();
    server.uploadsInProgress.add({ leftBytes: 2 ** 60 });
    expect((await sender.send(at, 0, clip)).status).toBe(507);
    expect((await sender.request("POST", "/uploads/tus", { "upload-length": 10 })).status).toBe(507);
    server.uploadsInProgress.clear();
    expect((await sender.send(at, 0, clip)).status).toBe(204);
  });
});

async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
