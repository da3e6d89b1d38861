import dns from "node:dns";
import { networkInterfaces } from "node:os";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ClipmillError } from "#contract/errors.ts";
import { web } from "#contract/sources/hosts/web.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { openTestDownloads, type TestDownloads } from "#tests/support/fetch-from-host.ts";
import { startWebTwin, type WebTwin } from "#tests/support/twins/web-twin.ts";

const BYTES = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7 + Math.floor(i / 256)) % 256));

const folder = await makeScratchFolder();
let twin: WebTwin;
let downloads: TestDownloads;

beforeEach(async () => {
  twin = await startWebTwin();
  downloads = openTestDownloads(folder, web, { privateSources: [twin.authority] });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await twin.close();
});

type Behaviour = NonNullable<Parameters<WebTwin["add"]>[1]["behaviour"]>;

const site = "127.0.0.1";
const status = (code: number, headers: Record<string, string> = {}) =>
  ({ kind: "status", status: code, headers }) satisfies Behaviour;

describe("a file of a website", () => {
  it.each<[string, Behaviour]>([
    ["with ranges", { kind: "normal" }],
    ["without ranges", { kind: "noRanges" }],
    ["without a length", { kind: "noRanges", isChunked: true }],
    ["after an interruption", { kind: "truncateOnce" }],
    ["after an interruption, without ranges", { kind: "truncateOnce", ignoresRanges: true }],
  ])("is downloaded completely %s", async (_, behaviour) => {
    const { facts, bytes } = await downloads.fetch(twin.add("/clips/a%20b.mp4?token=1", { bytes: BYTES, behaviour }));
    expect(bytes).toEqual(BYTES);
    expect(facts).toMatchObject({ name: "a b.mp4", mimeType: "video/mp4", sizeBytes: BYTES.length });
    expect(twin.requests.every(({ headers }) => headers["accept-encoding"] === "identity")).toBe(true);
  });

  it.each<[string | undefined, string]>([
    [undefined, "файл.mp4"],
    ['attachment; filename="sea.mp4"', "sea.mp4"],
    ["attachment; filename*=UTF-8''%D0%BC%D0%BE%D1%80%D0%B5.mp4; filename=sea.mp4", "море.mp4"],
    ["attachment; filename=", "файл.mp4"],
  ])("with Content-Disposition %j is named %s", async (disposition, name) => {
    const address = twin.add(encodeURI("/файл.mp4"), {
      bytes: BYTES,
      behaviour: { kind: "noRanges" },
      ...(disposition !== undefined && { disposition }),
    });
    expect(await downloads.describe(address)).toMatchObject({ name });
  });

  it("is described without its download, with a revision only if the site reports one", async () => {
    const address = twin.add("/a.mp4", { bytes: BYTES });
    expect(await downloads.describe(address)).toMatchObject({ sizeBytes: BYTES.length });
    expect((await downloads.describe(address))!.revision).toMatch(/^"[0-9a-f]{32}" 300000$/);
    expect(twin.requests.map(({ headers }) => headers.range)).toEqual(["bytes=0-0", "bytes=0-0"]);
    const bare = twin.add("/b.mp4", { bytes: BYTES, behaviour: { kind: "noRanges", isChunked: true } });
    expect(await downloads.describe(bare)).toMatchObject({ sizeBytes: null, revision: null });
  });

  it("is requested again after a short delay that the site asks for", async () => {
    const behaviour: Behaviour = { ...status(429, { "retry-after": "0" }), times: 2 };
    const { bytes } = await downloads.fetch(twin.add("/a.mp4", { bytes: BYTES, behaviour }));
    expect(bytes).toEqual(BYTES);
    expect(twin.requests).toHaveLength(4);
  });

  it.each<[string, Behaviour, Partial<ClipmillError>]>([
    ["a page", { kind: "page" }, { code: "not_a_video", message: expect.stringContaining("leads to a web page") }],
    ["a page behind a redirect", { kind: "redirect", to: "/login" }, { code: "not_a_video" }],
    [
      "401",
      status(401),
      { code: "not_shared", message: `${site} does not allow downloading this file without signing in.` },
    ],
    ["403", status(403), { code: "not_shared" }],
    ["404", status(404), { code: "source_not_found", message: `${site} has no file at this address. Check the link.` }],
    ["410", status(410), { code: "source_not_found" }],
    ["418", status(418), { code: "bad_link", message: `${site} did not send this file. Check the link.` }],
    ["204", status(204), { code: "bad_link" }],
    ["304", status(304), { code: "bad_link" }],
    ["500", status(500), { code: "network", isRetryable: true }],
    ["429 for long", status(429, { "retry-after": "90" }), { code: "rate_limited", retryAfterSeconds: 90 }],
    ["an empty file", { kind: "normal" }, { code: "not_a_video", message: "This file is empty." }],
    [
      "a compressed file",
      { kind: "compressed" },
      { code: "not_a_video", message: expect.stringContaining("HTTP compression") },
    ],
    ["garbage", { kind: "garbage" }, { code: "network", message: `${site} sent an unreadable response. Retry later.` }],
    ["a closed connection", { kind: "cut" }, { code: "network" }],
    [
      "nothing",
      { kind: "silent" },
      { code: "network", message: `${site} stopped sending data. Check the network, then retry.` },
    ],
    ["half of the file", { kind: "gated" }, { code: "network" }],
    ["less than announced", { kind: "wrongLength" }, { code: "incomplete" }],
    ["other bytes than requested", { kind: "wrongRange" }, { code: "incomplete" }],
    [
      "another file when resumed",
      { kind: "changesWhenResumed", bytes: Buffer.alloc(BYTES.length, 1) },
      { code: "incomplete" },
    ],
    [
      "redirects without end",
      { kind: "redirect", to: "/file.mp4" },
      { code: "bad_link", message: `${site} redirected this link too many times.` },
    ],
    [
      "a redirect to http",
      { kind: "redirect", to: "http://example.com/a.mp4" },
      { code: "bad_link", message: expect.stringContaining("without https://") },
    ],
    ["a redirect to a file", { kind: "redirect", to: "file:///etc/passwd" }, { code: "bad_link" }],
    ["a redirect with a password", { kind: "redirect", to: "https://me:secret@example.com/" }, { code: "bad_link" }],
    [
      "a redirect inside",
      { kind: "redirect", to: "https://169.254.169.254/meta" },
      { code: "bad_link", message: expect.stringContaining("not public") },
    ],
  ])("that responds with %s ends in one sentence", async (what, behaviour, expected) => {
    twin.add("/login", { behaviour: { kind: "page" } });
    const address = twin.add("/file.mp4", { bytes: what === "an empty file" ? Buffer.alloc(0) : BYTES, behaviour });
    const failure = await downloads.failureOf(downloads.fetch(address));
    expect(failure).toMatchObject(expected);
    expect(failure.message).toMatch(/^[^\n]+\.$/);
  });

  it("of an unknown site is not waited for", async () => {
    vi.spyOn(dns, "lookup").mockImplementation(((_: string, __: object, done: (error: Error) => void) =>
      done(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }))) as never);
    expect(await downloads.failureOf(downloads.fetch("https://nowhere.example/a.mp4"))).toMatchObject({
      code: "source_not_found",
      message: "There is no website named nowhere.example. Check the link.",
    });
  });
});

describe("addresses off the public network", () => {
  /** Public-looking names, as an attacker's DNS server may resolve them. */
  const NAMES: Record<string, string[]> = {
    "loopback.example": ["127.0.0.1"],
    "mixed.example": ["93.184.215.14", "127.0.0.1"],
    "six.example": ["::1"],
    "mapped.example": ["::ffff:127.0.0.1"],
    "metadata.example": ["169.254.169.254"],
    "trailing.example.": ["10.0.0.1"],
  };
  const own = Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? []);
  const spellings = [
    ...[
      "127.0.0.1",
      "127.1",
      "127.0.1",
      "2130706433",
      "017700000001",
      "0x7f000001",
      "0x7f.1",
      "0177.0.0.1",
      "127.0.0.1.",
    ],
    ...[
      "１２７.0.0.1",
      "①②⑦.0.0.1",
      "%31%32%37.0.0.1",
      "0",
      "0.0.0.0",
      "localhost",
      "LOCALHOST",
      "localhost.",
      "a.localhost",
    ],
    ...[
      "[::1]",
      "[::]",
      "[0:0:0:0:0:0:0:1]",
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
      "[::127.0.0.1]",
      "[64:ff9b::7f00:1]",
    ],
    ...[
      "[2002:7f00:1::]",
      "10.0.0.1",
      "192.168.0.1",
      "172.16.0.1",
      "100.64.0.1",
      "169.254.169.254",
      "[fe80::1]",
      "[fd00::1]",
    ],
    ...own
      .filter((address) => !address.includes("%"))
      .map((address) => (address.includes(":") ? `[${address}]` : address)),
    ...Object.keys(NAMES),
  ];
  const hosts = [...new Set(spellings)];

  it(`are never contacted, in none of ${hosts.length} spellings, directly or by a redirect`, async () => {
    const lookup = dns.lookup.bind(dns);
    vi.spyOn(dns, "lookup").mockImplementation(((name: string, options: object, done: (...all: unknown[]) => void) => {
      const addresses = NAMES[name]?.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
      return addresses ? done(null, addresses) : lookup(name, { ...options, all: true }, done);
    }) as never);
    const port = new URL(twin.url).port;
    const strict = openTestDownloads(folder, web, {});
    const codes = new Map<string, string>();
    const note = async (target: string, attempt: Promise<unknown>) =>
      codes.set(target, (await downloads.failureOf(attempt)).code);
    for (const host of hosts) {
      const target = `https://${host}:${port}/a.mp4`;
      await note(target, strict.fetch(target));
      const plain = target.replace("https:", "http:");
      await note(plain, strict.fetch(plain));
    }
    expect(twin.requests).toEqual([]);
    for (const [index, host] of hosts.entries()) {
      const to = `https://${host.replace(/[^\x20-\x7e]/g, encodeURIComponent)}:${port}/a.mp4`;
      await note(`to ${to}`, downloads.describe(twin.add(`/${index}`, { behaviour: { kind: "redirect", to } })));
    }
    // A machine may be unable to resolve some of its names.
    const unexpected = [...codes].filter(([, code]) => code !== "bad_link" && code !== "source_not_found");
    expect(unexpected).toEqual([]);
    expect(codes.size).toBe(hosts.length * 3);
    expect(twin.requests.map(({ path }) => path)).toEqual(hosts.map((_, index) => `/${index}`));
  });

  it("are allowed only by exact host and port", async () => {
    const { port } = new URL(twin.url);
    twin.add("/a.mp4", { bytes: BYTES });
    expect(await downloads.describe(`http://127.0.0.1:${port}/a.mp4`)).toMatchObject({ sizeBytes: BYTES.length });
    expect((await downloads.fetch(`http://127.1:${port}/a.mp4`)).bytes).toEqual(BYTES);
    for (const address of [`http://localhost:${port}/a.mp4`, `https://127.0.0.1:${Number(port) - 1}/a.mp4`]) {
      expect(await downloads.failureOf(downloads.fetch(address))).toMatchObject({ code: "bad_link" });
    }
  });
});
