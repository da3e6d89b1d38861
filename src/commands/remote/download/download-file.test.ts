import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sha256Of } from "#ground/checksum.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { createApiClient } from "../api/api-client.ts";
import { downloadFile, type RemoteFile } from "./download-file.ts";
import { plainName } from "./download-job.ts";

const BYTES = randomBytes(300_000);
const FILE: RemoteFile = {
  id: "8a4c1a52-1d8c-4b0e-9a55-1f2a55a1f001",
  name: "a.mp4",
  sizeBytes: BYTES.length,
  sha256: sha256Of(BYTES),
  url: "/downloads/outputs/1?signature=s",
};

const PART = `.${sha256Of(`${FILE.id} ${FILE.sha256}`).slice(0, 32)}.clipmill-part`;

const scratch = await makeScratchFolder();
let folder: string;
let server: Server;
let url: string;
let handle: (request: IncomingMessage, response: ServerResponse, place: number) => void;
let requests: IncomingMessage["headers"][];

beforeAll(async () => {
  server = createServer((request, response) => handle(request, response, requests.push(request.headers)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(async () => {
  requests = [];
  handle = sendRange;
  folder = path.join(scratch, randomBytes(4).toString("hex"));
  await mkdir(folder);
});

/** Sends the requested range, of `bytes` at most `most`, and then cuts the connection. */
function sendRange(
  request: Pick<IncomingMessage, "headers">,
  response: ServerResponse,
  _place = 0,
  bytes = BYTES,
  most = Infinity,
) {
  const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
  const range = { "content-range": `bytes ${start}-${bytes.length - 1}/${bytes.length}` };
  response.writeHead(start > 0 ? 206 : 200, { "content-length": bytes.length - start, ...(start > 0 && range) });
  const part = bytes.subarray(start, Math.min(bytes.length, start + most));
  response.write(part, () => (part.length < bytes.length - start ? response.destroy() : response.end()));
}

const renewUrl = async (): Promise<string> => "/renewed";

function download(file: Partial<RemoteFile> = {}, options: { overwrites?: boolean; signal?: AbortSignal } = {}) {
  const { signal = new AbortController().signal, overwrites = false } = options;
  const api = createApiClient({ server: url, token: "clm_secret", signal });
  return downloadFile(api, { ...FILE, ...file }, { folder, overwrites, renewUrl, onBytes: () => {} });
}

async function requireWhole(): Promise<void> {
  expect(await readdir(folder)).toEqual(["a.mp4"]);
  expect((await readFile(path.join(folder, "a.mp4"))).equals(BYTES)).toBe(true);
}

it("fetches a file once, without the token, and keeps it", async () => {
  expect(await download()).toBe("new");
  await requireWhole();
  expect(await download()).toBe("kept");
  expect(requests).toHaveLength(1);
  expect(requests[0]).not.toHaveProperty("authorization");
});

it("continues by range after a lost connection, and what an earlier run left", async () => {
  handle = (request, response, place) => sendRange(request, response, place, BYTES, 100_000);
  await writeFile(path.join(folder, PART), BYTES.subarray(0, 50_000));
  expect(await download()).toBe("new");
  await requireWhole();
  // A cut connection loses what was on its way.
  const starts = requests.map(({ range }) => Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1]));
  expect(starts[0]).toBe(50_000);
  expect(starts.length).toBeGreaterThan(2);
  expect(starts).toEqual([...new Set(starts)].toSorted((a, b) => a - b));
});

it("starts again where a server ignores ranges or what is there is damaged, once", async () => {
  handle = (request, response, place) => sendRange({ headers: {} }, response, place);
  const part = path.join(folder, PART);
  await writeFile(part, randomBytes(50_000));
  expect(await download()).toBe("new");
  await requireWhole();

  handle = sendRange;
  await writeFile(path.join(folder, "a.mp4"), "mine");
  await writeFile(part, randomBytes(50_000));
  expect(await download({}, { overwrites: true })).toBe("new");
  await requireWhole();

  handle = (request, response, place) => sendRange(request, response, place, randomBytes(BYTES.length));
  await expect(download({ name: "b.mp4" })).rejects.toMatchObject({ code: "damaged" });
  expect(await readdir(folder)).toEqual(["a.mp4"]);
});

it("renews an expired link, and waits as the server asks", async () => {
  handle = (request, response, place) => {
    if (place === 1) response.writeHead(503, { "retry-after": "0" }).end();
    else if (request.url === FILE.url) response.writeHead(403).end();
    else sendRange(request, response);
  };
  expect(await download()).toBe("new");
  await requireWhole();
  handle = (_request, response) => response.writeHead(404).end("{}");
  await expect(download({ name: "b.mp4" })).rejects.toMatchObject({ code: "unavailable" });
});

it("replaces no file of the operator, and follows no link out of the folder", async () => {
  const mine = path.join(folder, "a.mp4");
  await writeFile(mine, "mine");
  await expect(download()).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("--overwrite") });
  expect(await readFile(mine, "utf8")).toBe("mine");

  const outside = path.join(scratch, "outside");
  await writeFile(outside, "outside");
  await symlink(outside, path.join(folder, PART));
  await expect(download({ name: "b.mp4" })).rejects.toMatchObject({ code: "ELOOP" });
  await symlink(outside, path.join(folder, "c.mp4"));
  await expect(download({ name: "c.mp4" })).rejects.toMatchObject({ code: "conflict" });
  expect(await readFile(outside, "utf8")).toBe("outside");
});

it("two runs at the same time end with the same file", async () => {
  handle = (request, response, place) => sendRange(request, response, place, BYTES, 60_000);
  const results = await Promise.all([download(), download(), download()]);
  expect(results).toContain("new");
  await requireWhole();
});

it("files with the same content do not disturb each other", async () => {
  handle = (request, response, place) => sendRange(request, response, place, BYTES, 60_000);
  const names = ["a.mp4", "b.mp4", "c.mp4", "d.mp4"];
  const results = await Promise.all(names.map((name) => download({ id: name, name })));
  expect(results).toEqual(names.map(() => "new"));
  expect((await readdir(folder)).toSorted()).toEqual(names);
});

it("stops when it is aborted, and keeps what it has", async () => {
  const stopping = new AbortController();
  handle = (_request, response) => {
    response.writeHead(200, { "content-length": BYTES.length });
    response.write(BYTES.subarray(0, 70_000), () => stopping.abort(new Error("Stopped")));
  };
  await expect(download({}, { signal: stopping.signal })).rejects.toThrow("Stopped");
  const [part] = await readdir(folder);
  expect((await stat(path.join(folder, part!))).size).toBeLessThanOrEqual(70_000);
  handle = sendRange;
  expect(await download()).toBe("new");
  await requireWhole();
});

it("fetches only from the server itself", async () => {
  for (const link of ["https://elsewhere.example/a", "//elsewhere.example/a", "/\\elsewhere.example"]) {
    await expect(download({ url: link })).rejects.toMatchObject({ code: "unavailable" });
  }
  expect(requests).toEqual([]);
});

it("names files only in the folder", () => {
  const rejected = [
    "",
    ".",
    "..",
    "../a",
    "a/b",
    "/a",
    "a\\b",
    "C:a",
    "CON",
    "nul.mp4",
    "a\0",
    "a\n",
    ".bashrc",
    "a.",
    "x".repeat(256),
  ];
  for (const name of rejected) expect(() => plainName(name)).toThrow(/not allowed/);
  for (const name of ["a.mp4", "001-v1-Über 🎬 (2).mp4", "console.mp4", "a b.mp4"]) expect(plainName(name)).toBe(name);
});
