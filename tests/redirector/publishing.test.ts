import { once } from "node:events";
import { mkdir, readdir, truncate, writeFile } from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PUBLISH_LIMITS } from "#contract/cloak/published-config.ts";
import { sha256Of } from "#ground/checksum.ts";
import { type SignatureHeaders, signBody } from "#ground/publish-signature.ts";
import type { Redirector } from "#redirector/start-redirector.ts";
import {
  METRICS_TOKEN,
  documentOf,
  publish,
  routeOf,
  startTestRedirector,
  TOKEN,
  visit,
} from "#tests/support/twins/redirector.ts";
import { mountSmallDisk, unmountSmallDisk } from "#tests/support/faults/machine/small-disk.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const scratch = await makeScratchFolder();
let number = 0;
let folder: string;
let redirector: Redirector;

const leadingTo = (name: string) => [routeOf(1, { slug: "x", primary: `https://target.test/${name}` })];
const target = async () => (await visit(redirector, "shop.test", "/x")).location;

beforeEach(async () => {
  folder = path.join(scratch, String((number += 1)));
  redirector = await startTestRedirector(folder);
});
afterEach(() => redirector.close());

/** Requires that the earlier version is still served, also after a restart. */
async function expectNothingChanged(): Promise<void> {
  expect(await target()).toBe("https://target.test/first");
  await restart();
  expect(await target()).toBe("https://target.test/first");
  expect(await readdir(path.join(folder, "published"))).toEqual(["0000000000000005.jsonl"]);
}

describe("a publish", () => {
  beforeEach(async () => {
    await publish(redirector, documentOf(5, leadingTo("first")));
  });

  it("replaces everything served before, also after a restart", async () => {
    const more = [...leadingTo("second"), routeOf(2)];
    expect(await publish(redirector, documentOf(6, more))).toMatchObject({
      status: 200,
      body: { version: 6, routes: 2 },
    });
    for (const round of ["now", "after a restart"]) {
      expect([round, await target()]).toEqual([round, "https://target.test/second"]);
      expect([round, (await visit(redirector, "shop.test", "/slug-2")).status]).toEqual([round, 302]);
      await restart();
    }
    expect(await publish(redirector, documentOf(7, []))).toEqual({
      status: 200,
      body: { version: 7, digest: sha256Of(""), routes: 0 },
    });
    expect(await target()).toBeNull();
  });

  it("is rejected with a wrong or missing token", async () => {
    const document = documentOf(6, leadingTo("evil"));
    const wrong = await publish(redirector, document, signBody("another token, not known", Buffer.from(document)));
    const none = await publish(redirector, document, {});
    for (const response of [wrong, none]) {
      expect(response).toEqual({
        status: 401,
        body: {
          service: "clipmill-redirector",
          error: "The redirector rejected the publish token. VPS_PUBLISH_TOKEN must match the one stored on the VPS.",
        },
      });
    }
    await expectNothingChanged();
  });

  it("is rejected unless its version is newer", async () => {
    for (const version of [4, 5]) {
      expect(await publish(redirector, documentOf(version, leadingTo("old")))).toMatchObject({
        status: 409,
        body: { error: `The redirector already serves version 5 and rejected version ${version}, which is not newer.` },
      });
    }
    await expectNothingChanged();
  });

  it("is rejected when it is replayed or too old", async () => {
    const document = documentOf(6, leadingTo("second"));
    const stolen = signBody(TOKEN, Buffer.from(document));
    expect((await publish(redirector, document, stolen)).status).toBe(200);
    expect(await publish(redirector, document, stolen)).toMatchObject({
      status: 401,
      body: { error: "Duplicate request." },
    });
    await restart();
    expect((await publish(redirector, document, stolen)).status).toBe(409);
    const next = documentOf(7, leadingTo("third"));
    for (const minutes of [-6, 6]) {
      const headers = signBody(TOKEN, Buffer.from(next), Date.now() + minutes * 60_000);
      expect(await publish(redirector, next, headers)).toMatchObject({
        status: 401,
        body: { error: "The request is too old, or the clocks of the two machines differ by more than five minutes." },
      });
    }
    expect(await target()).toBe("https://target.test/second");
  });

  it("is rejected when any signed part was changed in transit", async () => {
    const document = documentOf(6, leadingTo("honest"));
    const headers = signBody(TOKEN, Buffer.from(document));
    const changed = await publish(redirector, document.replace("honest", "crooks"), headers);
    expect(changed).toMatchObject({
      status: 401,
      body: { error: "The document was changed in transit: its signature does not match." },
    });
    const fresh = (more: Partial<SignatureHeaders>) => ({ ...signBody(TOKEN, Buffer.from(document)), ...more });
    for (const more of [
      { "webhook-id": "msg_other" },
      { "webhook-timestamp": String(Math.floor(Date.now() / 1000) + 60) },
      { "webhook-signature": "v1,AAAA" },
      { "clipmill-pass": "v1,AAAA" },
      { "webhook-signature": "" },
    ]) {
      expect([more, (await publish(redirector, document, fresh(more))).status]).toEqual([more, 401]);
    }
    await expectNothingChanged();
  });

  it("is rejected when the document is invalid", async () => {
    const good = documentOf(6, leadingTo("next"));
    const [header, line] = good.split("\n") as [string, string];
    const bad: [string, string][] = [
      ["nothing", ""],
      ["no JSON", "x\n"],
      ["no header", "{}\n"],
      ["another format", documentOf(6, [], { format: 2 as 1 })],
      ["no version", documentOf(0, [])],
      ["a version that is no number", good.replace('"version":6', '"version":"6"')],
      ["a digest that does not fit", documentOf(6, leadingTo("next"), { digest: "0".repeat(64) })],
      ["a count that does not fit", documentOf(6, leadingTo("next"), { routes: 2 })],
      ["no end", good.slice(0, -1)],
      ["a line cut short", `${header}\n${line.slice(0, 20)}\n`],
      ["javascript:", documentOf(6, [routeOf(1, { primary: "javascript:alert(1)" })])],
      ["a relative URL", documentOf(6, [routeOf(1, { primary: "/x" })])],
      ["a bad fallback", documentOf(6, [routeOf(1, { fallback: "ftp://target.test/" })])],
      ["../", documentOf(6, [routeOf(1, { slug: "../x" })])],
      ["a long slug", documentOf(6, [routeOf(1, { slug: "x".repeat(2_000) })])],
      ["an own path", documentOf(6, [routeOf(1, { slug: "_clipmill/publish" })])],
      ["a bad domain", documentOf(6, [routeOf(1, { domain: "a_b" })])],
      ["capitals", documentOf(6, [routeOf(1, { domain: "Shop.test" })])],
      ["a slug twice", documentOf(6, [routeOf(1, { slug: "a" }), routeOf(2, { slug: "a/" })])],
      ["an id twice", documentOf(6, [routeOf(1), routeOf(1, { slug: "other" })])],
    ];
    for (const [what, document] of bad) {
      const { status, body } = await publish(redirector, document);
      expect([what, status, body["error"]]).toEqual([
        what,
        400,
        expect.stringMatching(/^The document is not valid: .*\.$/),
      ]);
    }
    await expectNothingChanged();
  });

  it("is rejected when it is too large, before its body is sent", async () => {
    const bytes = PUBLISH_LIMITS.bytes + 1;
    const headers = signBody(TOKEN, Buffer.alloc(bytes));
    const socket = net.connect(redirector.port, "127.0.0.1");
    const lines = Object.entries({ host: "x", "content-length": bytes, ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    socket.write(`POST /_clipmill/publish HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
    const [response] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    expect(response.toString()).toMatch(/^HTTP\/1\.1 413 /);
    const many = documentOf(6, [], { routes: PUBLISH_LIMITS.routes + 1 });
    expect((await publish(redirector, many)).status).toBe(413);
    await expectNothingChanged();
  });

  it("changes nothing when its connection is cut halfway", async () => {
    const document = documentOf(6, leadingTo("half"));
    const headers = signBody(TOKEN, Buffer.from(document));
    const head = Object.entries({ host: "x", "content-length": Buffer.byteLength(document), ...headers })
      .map(([name, value]) => `${name}: ${value}`)
      .join("\r\n");
    for (const end of ["destroy", "end"] as const) {
      const socket = net.connect(redirector.port, "127.0.0.1");
      socket.on("error", () => {});
      socket.write(`POST /_clipmill/publish HTTP/1.1\r\n${head}\r\n\r\n${document.slice(0, document.length / 2)}`);
      await new Promise<void>((resolve) => void socket.write("{", () => resolve()));
      if (end === "destroy") socket.destroy();
      else socket.end();
      socket.resume();
      await once(socket, "close");
    }
    await expectNothingChanged();
    // Chunked bodies without a length are rejected as well.
    const chunked = new ReadableStream({ start: (stream) => (stream.enqueue(Buffer.from(document)), stream.close()) });
    const init = { method: "POST", headers: signBody(TOKEN, Buffer.from(document)), body: chunked, duplex: "half" };
    expect((await fetch(redirector.publishUrl, init as RequestInit)).status).toBe(400);
  });

  it("keeps ten versions on disk, and serves the previous one when the newest is damaged", async () => {
    for (let version = 6; version <= 17; version += 1) {
      expect((await publish(redirector, documentOf(version, leadingTo(`v${version}`)))).status).toBe(200);
    }
    const files = await readdir(path.join(folder, "published"));
    expect(files.toSorted().map((name) => Number.parseInt(name, 10))).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 16, 17]);
    const fileOf = (version: number) => path.join(folder, "published", `${String(version).padStart(16, "0")}.jsonl`);
    await truncate(fileOf(17), 300);
    await writeFile(fileOf(16), "");
    await writeFile(`${fileOf(18)}.part`, "half a file");
    await restart();
    expect(await target()).toBe("https://target.test/v15");
    expect((await publish(redirector, documentOf(18, leadingTo("v18")))).status).toBe(200);
    await restart();
    expect(await target()).toBe("https://target.test/v18");
  });

  it("succeeds even if an old version cannot be removed", async () => {
    const inTheWay = path.join(folder, "published", `${"1".padStart(16, "0")}.jsonl`);
    await mkdir(inTheWay);
    for (let version = 6; version <= 15; version += 1) {
      expect((await publish(redirector, documentOf(version, leadingTo(`v${version}`)))).status).toBe(200);
    }
    expect(await target()).toBe("https://target.test/v15");
  });

  it("reports a full disk and keeps serving", async (context) => {
    const disk = path.join(scratch, "small-disk");
    await mkdir(disk, { recursive: true });
    context.skip(!mountSmallDisk(disk), "Mounting a small disk needs root.");
    const small = await startTestRedirector(disk);
    try {
      expect((await publish(small, documentOf(1, leadingTo("small")))).status).toBe(200);
      const large = Array.from({ length: 20_000 }, (_, i) => routeOf(i));
      expect(await publish(small, documentOf(2, large))).toEqual({
        status: 507,
        body: {
          service: "clipmill-redirector",
          error: "The redirector's disk is full; it keeps serving the previous version.",
        },
      });
      expect((await visit(small, "shop.test", "/x")).location).toBe("https://target.test/small");
      expect(await readdir(path.join(disk, "published"))).toEqual(["0000000000000001.jsonl"]);
      expect((await publish(small, documentOf(3, leadingTo("after")))).status).toBe(200);
    } finally {
      await small.close();
      unmountSmallDisk(disk);
    }
  });
});

describe("the redirector's internal endpoints", () => {
  it("report to a proxy which domains are published", async () => {
    await publish(redirector, documentOf(1, leadingTo("first")));
    const ask = async (domain: string) => (await visit(redirector, "x", `/_clipmill/ask?domain=${domain}`)).status;
    expect(await ask("shop.test")).toBe(200);
    expect(await ask("SHOP.test.")).toBe(200);
    for (const other of ["other.test", "", "sub.shop.test", "127.0.0.1", "__proto__"])
      expect(await ask(other)).toBe(404);
    await publish(redirector, documentOf(2, []));
    expect(await ask("shop.test")).toBe(404);
  });

  it("return metrics only with the token", async () => {
    await publish(redirector, documentOf(1, leadingTo("first")));
    await target();
    await visit(redirector, "shop.test", "/nothing");
    const read = (token: string) =>
      visit(redirector, "x", "/_clipmill/metrics", { headers: { authorization: `Bearer ${token}` } });
    expect((await read("wrong")).status).toBe(404);
    const { status, body } = await read(METRICS_TOKEN);
    expect(status).toBe(200);
    for (const line of [
      "clipmill_redirects_total 1",
      "clipmill_not_found_total 1",
      "clipmill_published_version 1",
      "clipmill_published_routes 1",
    ]) {
      expect(body.split("\n")).toContain(line);
    }
  });

  it("return counts only for a signed report request", async () => {
    const document = documentOf(1, leadingTo("first"));
    const url = redirector.publishUrl.replace("publish", "report");
    const send = (body: string, token = TOKEN) =>
      fetch(url, { method: "POST", headers: { ...signBody(token, Buffer.from(body)) }, body });
    expect((await send("{}", "another token, not known")).status).toBe(401);
    expect((await send(document)).status).toBe(400);
    expect((await send('{"type":"clipmill.report","fromDay":"2026-01-01"}')).status).toBe(200);
    expect((await publish(redirector, '{"type":"clipmill.report","fromDay":"2026-01-01"}\n')).status).toBe(400);
  });
});

async function restart(): Promise<void> {
  await redirector.close();
  redirector = await startTestRedirector(folder);
}
