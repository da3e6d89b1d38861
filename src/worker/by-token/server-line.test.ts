import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createContact } from "#operations/hosts/contact-host.ts";
import { retryUntilWritten } from "#operations/attempts/retry-until-written.ts";
import type { HostRecords } from "#operations/hosts/host-records.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { openSourceCache } from "../sources/source-cache.ts";
import { createReaderByToken } from "./reader-by-token.ts";
import { openServerLine, type ServerLine } from "./server-line.ts";

const folder = await makeScratchFolder();
const CLAIM = { videoId: "00000000-0000-4000-8000-000000000000", retryCount: 0 };
let respond: http.RequestListener;
let server: http.Server;
let url: string;
let line: ServerLine;

beforeAll(async () => {
  server = http.createServer((request, response) => respond(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  line = openServerLine({ server: url, token: "clm_token" }, () => {});
});
afterAll(async () => {
  await line.close();
  server.close();
});

/** Returns the failures that are recorded of `host`, and the error. */
async function contact(act: (signal: AbortSignal) => Promise<unknown>): Promise<{ failed: string[]; error: unknown }> {
  const failed: string[] = [];
  const records: HostRecords = {
    readNow: () => Promise.resolve(0),
    readHost: () => Promise.resolve({ hasFailed: false, cooldown: null }),
    recordHostResponse: () => Promise.resolve(),
    releaseProbe: () => Promise.resolve(),
    recordHostFailure({ host }) {
      failed.push(host);
      return Promise.resolve(null);
    },
  };
  const { signal } = new AbortController();
  const error = await createContact(records, signal)("storage", () => act(signal)).catch((one: unknown) => one);
  return { failed, error };
}

async function makeFile(): Promise<{ path: string; sizeBytes: number; sha256: string }> {
  const file = path.join(await mkdtemp(path.join(folder, "file-")), "file");
  await writeFile(file, "video");
  return { path: file, sizeBytes: 5, sha256: "" };
}

async function upload(signal: AbortSignal): Promise<void> {
  await line.uploadTo({ url, headers: {} }, await makeFile(), signal);
}

const badGateway: http.RequestListener = (_request, response) => void response.writeHead(502).end("{<h1>Bad Gateway");
const cut: http.RequestListener = (request) => void request.socket.destroy();
const loginPage: http.RequestListener = (_request, response) => void response.writeHead(200).end("<h1>Log in");

it("counts failures of the server against no host", async () => {
  for (const one of [badGateway, cut, loginPage]) {
    respond = one;
    const asked = await contact((signal) => line.call("/renew", {}, { signal }));
    expect(asked).toMatchObject({ failed: [], error: { code: "unavailable" } });
  }
});

it("retries what passes, but not what a proxy rejects, which counts against no host either", async () => {
  const passing: [number, string][] = [
    [429, "<h1>Too many requests"],
    [408, ""],
    [503, "{}"],
    [500, JSON.stringify({ code: "unexpected_failure", error: "Something went wrong." })],
    [429, JSON.stringify({ code: "too_many", error: "Too many files." })],
  ];
  for (const [status, body] of passing) {
    respond = (_request, response) => void response.writeHead(status).end(body);
    const found = await contact((signal) => line.call("/renew", {}, { signal }));
    expect(found).toMatchObject({ failed: [], error: { code: "unavailable", isRetryable: true } });
  }
  for (const [status, code] of [
    [413, "too_large"],
    [403, "invalid"],
  ] as const) {
    let requests = 0;
    respond = (_request, response) => void (requests++, response.writeHead(status).end("<h1>No"));
    const found = await contact((signal) => retryUntilWritten(signal, () => line.call("/claims/a/0/plan")));
    expect(found).toMatchObject({ failed: [], error: { code, isRetryable: false } });
    expect((found.error as Error).message).toMatch(new RegExp(`^The proxy .*status ${status}`));
    expect(requests).toBe(1);
  }
});

it("sends a file again while the server receives too many", async () => {
  const file = await makeFile();
  let received = 0;
  respond = (request, response) =>
    void request.resume().on("end", () => {
      received += 1;
      if (received > 1) response.writeHead(200).end(JSON.stringify({ answer: null }));
      else response.writeHead(429).end(JSON.stringify({ code: "too_many", error: "Too many files." }));
    });
  await line.upload("/claims/a/0/files", file, new AbortController().signal);
  expect(received).toBe(2);
});

it("counts failures of the storage", async () => {
  for (const one of [badGateway, cut]) {
    respond = (request, response) => void request.resume().on("end", () => one(request, response));
    expect(await contact(upload)).toMatchObject({ failed: ["storage"], error: { code: "unavailable" } });
  }
});

const sources = await openSourceCache(path.join(folder, "cache"), 1_024 ** 2);

function takeLibraryFile(address: string | null, signal: AbortSignal): Promise<string> {
  const options = { line, sources, baseUrls: {}, ytDlpPath: null, facts: new Map() };
  const send = respond;
  respond = (request, response) => {
    if (!request.url!.endsWith("/library")) return send(request, response);
    const answer = { name: "clip.mp4", kind: "video", digest: null, address };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ answer }));
  };
  return createReaderByToken(options, CLAIM)
    .findLibraryFile("abc")
    .then((found) => found!.toLocalFile({ folder, signal }));
}

it("tells a file that the storage does not have from one that it does not send", async () => {
  for (const [status, code] of [
    [404, "not_found"],
    [503, "unavailable"],
  ] as const) {
    respond = (_request, response) => void response.writeHead(status).end("{<Error/>");
    const found = await contact((signal) => takeLibraryFile(`${url}/bucket/file`, signal));
    expect(found).toMatchObject({ error: { code }, failed: status === 404 ? [] : ["storage"] });
  }
  respond = badGateway;
  expect(await contact((signal) => takeLibraryFile(null, signal))).toMatchObject({
    failed: [],
    error: { code: "unavailable" },
  });
});
