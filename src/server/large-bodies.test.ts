/** The largest allowed bodies in their worst shapes: none keeps the server from responding to others for long. */
import { Agent, request as sendRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JOB_LIMITS } from "#contract/jobs/jobs.ts";
import { isFullRun } from "#tests/support/faults/fault-rounds.ts";
import { longestBlockMs } from "#tests/support/faults/longest-block-ms.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { FUNCTIONS } from "./functions/functions.ts";
import { TABLES } from "./rest/rest-tables.ts";

const MAX_BLOCK_MS = 100;
const MOST_RUNS = 10;
const MB = 1024 ** 2;

const CALLS = [
  ...FUNCTIONS.flatMap(({ path, calls }) => (calls.every(({ isGet }) => isGet) ? [] : [`POST /functions/v1/${path}`])),
  ...Object.values(TABLES).flatMap(({ name, write }) => (write ? [`POST /rest/v1/${name}`] : [])),
  "POST /auth/v1/token?grant_type=password",
  "POST /auth/v1/signup",
  "PUT /auth/v1/user",
];

/** Valid JSON of about `bytes`. */
const SHAPES: Record<string, (bytes: number) => string> = {
  "empty lists": (bytes) => `{"x":[${"[],".repeat(bytes / 3 - 5)}[]]}`,
  "nested lists": (bytes) => `{"x":${"[".repeat(bytes / 2 - 5)}${"]".repeat(bytes / 2 - 5)}}`,
  "empty objects": (bytes) => `[${"{},".repeat(bytes / 3 - 5)}{}]`,
  fields: (bytes) => `{${Array.from({ length: bytes / 12 - 5 }, (_, i) => `"${1e6 + i}":0`).join(",")}}`,
  numbers: (bytes) => `{"x":[${"0,".repeat(bytes / 2 - 5)}0]}`,
  "one text": (bytes) => `{"x":"${String.raw`\u00e9`.repeat(bytes / 6 - 5)}"}`,
};

const links = Array.from({ length: JOB_LIMITS.videos }, (_, i) => `https://drive.google.com/file/d/clip${i}/view`);
const rows = links.map((link, i) => ({
  link,
  name: `clip ${i}`,
  settings: { watermark_text: `Größe ${i}`, watermark_enabled: true, start_seconds: 1, end_seconds: 9, format: "9:16" },
  pass: { sku: `A-${i}`, note: "x".repeat(100) },
}));
const columns = Array.from({ length: 60 }, (_, i) => i);
const table = (dataRows: string[]) =>
  ["link", ...columns.map((i) => `caption ${i + 1}`)].join(",").concat("\n", dataRows.join("\n"));
const wide = links.map((link) => `${link},${columns.map((i) => `c${i}`).join(",")}`);
const settings = { job_name: "A" };

const LARGEST: [name: string, path: string, body: () => unknown, status: number][] = [
  ["a job of 10,000 rows", "jobs", () => ({ ...settings, rows }), 200],
  ["10,000 rows of 60 captions", "job-table", () => ({ csv: table(wide), settings, dry_run: true }), 200],
  ["8 MB of blank lines", "job-table", () => ({ csv: `link\n${"\n".repeat(8 * MB - 10)}x`, dry_run: true }), 200],
  ["a cell of 8 MB", "job-table", () => ({ csv: "x".repeat(8 * MB), dry_run: true }), 200],
  ["8 MB of commas", "job-table", () => ({ csv: ",".repeat(8 * MB), dry_run: true }), 200],
  ["8 MB of quotation marks", "job-table", () => ({ csv: `link\n"${'""'.repeat(4 * MB - 10)}"`, dry_run: true }), 200],
  [
    "a job of a table",
    "job-table",
    () => ({
      csv: `link,name\n${rows.map(({ link, name }) => `${link},${name}`).join("\n")}`,
      settings: { job_name: "Table" },
    }),
    200,
  ],
  ["a job of a manifest", "jobs", () => ({ manifest: { manifest_version: 1, request: { ...settings, rows } } }), 200],
  ["a caption set", "caption-sets", () => ({ name: "A", captions: links.map((_, i) => `${"ж".repeat(48)}${i}`) }), 200],
  [
    "an audio set",
    "audio-sets",
    () => ({ name: "A", audio_links: links.slice(0, 1_000).map((link) => link.padEnd(2_000, "d")) }),
    200,
  ],
  ["captions to check", "check-captions", () => ({ captions: links.map((_, i) => `${"ж".repeat(48)}${i}`) }), 200],
];
/** Others are like one of these. */
const SHORT = new Set(["a job of 10,000 rows", "10,000 rows of 60 captions", "8 MB of blank lines"]);

describe("a request with the largest body", () => {
  /** Keeps its connection. */
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let server: TestServer;
  let headers: Record<string, string>;

  beforeAll(async () => {
    server = await startTestServer(undefined, { checksResponses: false, allowSignup: true });
    const token = (await server.client.auth.getSession()).data.session!.access_token;
    headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  });
  afterAll(async () => {
    agent.destroy();
    await server.close();
  });

  /** Unlike fetch, does not copy the body. Without one, sends only the headers, which announce 1 GB. */
  async function send(method: string, path: string, body?: Uint8Array): Promise<{ status: number; text: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
    const bytes = body?.length ?? 1024 * MB;
    const request = sendRequest(
      `${server.url}${path}`,
      { method, agent, headers: { ...headers, "content-length": bytes } },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part)).on("error", reject);
        response.on("end", () => resolve({ status: response.statusCode!, text: String(parts[0]) }));
      },
    ).on("error", reject);
    if (body) request.end(body);
    else request.flushHeaders();
    try {
      return await promise;
    } finally {
      if (!body) request.destroy();
    }
  }

  async function readLimitBytes(method: string, path: string): Promise<number> {
    const { text } = await send(method, path);
    const [, megabytes] = /The request is larger than (\d+) MB\./.exec(text) ?? [];
    expect(megabytes, `${path}: ${text}`).toBeDefined();
    return Number(megabytes) * MB;
  }

  /** The shortest of ten measurements, if one is too long: a busy machine can slow down the CPU. */
  async function measure(method: string, path: string, body: string): Promise<{ status: number; blockMs: number }> {
    let status = 0;
    let blockMs = Infinity;
    const bytes = new TextEncoder().encode(body);
    for (let run = 0; run < MOST_RUNS && blockMs > MAX_BLOCK_MS; run++) {
      const longest = await longestBlockMs(async () => {
        const done = new AbortController();
        const working = send(method, path, bytes).finally(() => done.abort());
        while (!done.signal.aborted) expect((await fetch(`${server.url}/health`)).status).toBe(200);
        status = (await working).status;
      });
      blockMs = Math.min(blockMs, longest);
    }
    return { status, blockMs };
  }

  it.each(CALLS)("does not block the event loop, whatever it contains: %s", async (call) => {
    const [method, path] = call.split(" ") as [string, string];
    const bytes = await readLimitBytes(method, path);
    const shapes = Object.entries(SHAPES).filter((_, i) => isFullRun || i === CALLS.indexOf(call) % 6);
    for (const [shape, bodyOf] of shapes) {
      const { status, blockMs } = await measure(method, path, bodyOf(bytes));
      // 503 without a worker or a configured service.
      expect({ shape, isError: status === 500, isLong: blockMs >= MAX_BLOCK_MS, blockMs }).toMatchObject({
        isError: false,
        isLong: false,
      });
    }
  });

  it.each(LARGEST.filter(([name]) => isFullRun || SHORT.has(name)))(
    "does not block the event loop: %s",
    async (_, path, bodyOf, expected) => {
      const { status, blockMs } = await measure("POST", `/functions/v1/${path}`, JSON.stringify(bodyOf()));
      expect(status).toBe(expected);
      expect(blockMs).toBeLessThan(MAX_BLOCK_MS);
    },
  );
});
