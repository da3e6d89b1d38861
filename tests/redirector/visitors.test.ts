import net from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Redirector } from "#redirector/start-redirector.ts";
import { documentOf, publish, routeOf, startTestRedirector, visit } from "#tests/support/twins/redirector.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
let redirector: Redirector;

const ROUTES = [
  routeOf(1, { slug: "spring", primary: "https://target.test/a" }),
  routeOf(2, { slug: "__root__", primary: "https://target.test/root" }),
  routeOf(3, { slug: "deep/er", primary: "https://target.test/deep?ref=1&x=#part" }),
  routeOf(4, { slug: "весна", primary: "https://bücher.test/straße" }),
  routeOf(5, { slug: "50%off", primary: "http://target.test/off" }),
  routeOf(6, { slug: "Case", primary: "https://target.test/case" }),
  routeOf(8, { slug: "_clipmill-sale", primary: "https://target.test/sale" }),
  routeOf(7, { domain: "xn--bcher-kva.test", slug: "spring", primary: "https://target.test/books" }),
];

beforeAll(async () => {
  redirector = await startTestRedirector(folder);
  await publish(redirector, documentOf(1, ROUTES));
});
afterAll(() => redirector.close());

const go = (path: string, host = "shop.test") => visit(redirector, host, path);
const where = async (path: string, host?: string) => (await go(path, host)).location;

describe("a visitor", () => {
  it("is redirected by host and slug, with a response that is not cached", async () => {
    const response = await go("/spring");
    expect(response).toMatchObject({ status: 302, location: "https://target.test/a", body: "" });
    expect(response.headers).toMatchObject({ "cache-control": "no-store", "content-length": "0" });
    expect(await where("/")).toBe("https://target.test/root");
    expect(await where("")).toBe("https://target.test/root");
    expect(await where("/deep/er")).toBe("https://target.test/deep?ref=1&x=#part");
    expect(await where("/spring", "xn--bcher-kva.test")).toBe("https://target.test/books");
    expect(await where("/_clipmill-sale")).toBe("https://target.test/sale");
  });

  it("gets the same response regardless of user agent and other headers", async () => {
    const plain = await go("/spring");
    for (const headers of [
      { "user-agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" },
      { "user-agent": "facebookexternalhit/1.1", "x-forwarded-for": "66.249.66.1" },
      { "user-agent": "Mozilla/5.0 (iPhone)", "accept-language": "de", referer: "https://ads.test/", cookie: "a=b" },
      { "user-agent": "curl/8", "sec-fetch-site": "none", "cf-ipcountry": "US" },
    ]) {
      const response = await visit(redirector, "shop.test", "/spring", { headers });
      expect([response.status, response.location, response.headers]).toEqual([
        plain.status,
        plain.location,
        plain.headers,
      ]);
    }
  });

  it("may send the host with a port, a trailing dot or capitals", async () => {
    for (const host of ["SHOP.test", "shop.test:8081", "shop.test.", "Shop.Test.:443", "shop.test:"]) {
      expect([host, await where("/spring", host)]).toEqual([host, "https://target.test/a"]);
    }
    expect(await where("/spring", "XN--BCHER-KVA.test")).toBe("https://target.test/books");
  });

  it("may add or omit slashes around the slug, and percent-encode it", async () => {
    for (const path of ["/spring/", "//spring", "/spring//", "/%73pring", "/spring?", "/spring/?"]) {
      expect([path, await where(path)]).toEqual([path, "https://target.test/a"]);
    }
    for (const path of ["/%D0%B2%D0%B5%D1%81%D0%BD%D0%B0", "/%d0%b2%d0%b5%d1%81%d0%bd%d0%b0"]) {
      expect([path, await where(path)]).toEqual([path, "https://xn--bcher-kva.test/stra%C3%9Fe"]);
    }
    expect(await where("/50%off")).toBe("http://target.test/off");
  });

  it("must match the slug's case", async () => {
    expect(await where("/Case")).toBe("https://target.test/case");
    for (const path of ["/case", "/CASE", "/Spring"]) expect([path, (await go(path)).status]).toEqual([path, 404]);
  });

  it("keeps the query string but cannot override the target's own parameters", async () => {
    expect(await where("/spring?a=1&b=%20x")).toBe("https://target.test/a?a=1&b=%20x");
    expect(await where("/?a=1")).toBe("https://target.test/root?a=1");
    expect(await where("/deep/er?a=1&ref=2&%72ef=3&x=4&y")).toBe("https://target.test/deep?ref=1&x=&a=1&y#part");
    expect(await where("/deep/er?ref=2")).toBe("https://target.test/deep?ref=1&x=#part");
  });

  it("gets a 404 page for an unpublished address", async () => {
    for (const [path, host] of [
      ["/nothing", "shop.test"],
      ["/spring", "other.test"],
      ["/spring", ""],
      ["/spring/more", "shop.test"],
      ["/__root__", "shop.test"],
      ["/spring", "sub.shop.test"],
      ["/spring", "127.0.0.1"],
    ] as const) {
      const response = await go(path, host);
      expect([path, host, response.status, response.location]).toEqual([path, host, 404, null]);
      expect(response.body).toContain("<p>There is nothing at this address.</p>");
      expect(response.headers["cache-control"]).toBe("no-store");
    }
  });

  it("may use only GET and HEAD", async () => {
    const there = await visit(redirector, "shop.test", "/spring", { method: "HEAD" });
    expect([there.status, there.location, there.body]).toEqual([302, "https://target.test/a", ""]);
    const gone = await visit(redirector, "shop.test", "/nothing", { method: "HEAD" });
    expect([gone.status, gone.body]).toEqual([404, ""]);
    expect(Number(gone.headers["content-length"])).toBe((await go("/nothing")).body.length);
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
      const response = await visit(redirector, "shop.test", "/spring", { method });
      expect([method, response.status, response.headers["allow"]]).toEqual([method, 405, "GET, HEAD"]);
    }
  });

  it("gets a 404 for hostile paths", async () => {
    for (const path of [
      "/../spring",
      "/./spring",
      "/x/../spring",
      "/%2e%2e/spring",
      "/..%2fspring",
      "/spring%00",
      "/spring%0d%0alocation:%20https://evil.test/",
      "/%ff",
      "/%",
      "/\\spring",
      "/spring;x",
      "/https://evil.test/",
      "//evil.test/%2e%2e",
      "/constructor",
      "/__proto__",
      "/hasOwnProperty",
      `/${"a".repeat(10_000)}`,
      "/_clipmillx",
      "/_clipmill",
      "/_clipmill/../spring",
      "*",
    ]) {
      const response = await go(path);
      expect([path.slice(0, 50), response.status, response.location]).toEqual([path.slice(0, 50), 404, null]);
    }
  });

  it("cannot inject response headers through the query", async () => {
    const evil = await go("/spring?a=%0d%0aset-cookie:%20x=1&b=%C3%A9");
    expect(evil.location).toBe("https://target.test/a?a=%0d%0aset-cookie:%20x=1&b=%C3%A9");
    expect(evil.headers["set-cookie"]).toBeUndefined();
    // Bytes that are invalid in an address.
    for (const bytes of ["\u00e9", "\u0000", "\r", "\u007f"]) {
      expect(await raw(`GET /spring?a=${bytes} HTTP/1.1\r\nhost: shop.test\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  it("is redirected by the host of an absolute request target, as proxies send it", async () => {
    expect(await where("http://shop.test/spring?q", "other.test")).toBe("https://target.test/a?q");
    expect((await go("http://other.test/spring", "shop.test")).status).toBe(404);
  });

  it("gets 404 for HTTP/1.0 without a host, and an error for malformed requests", async () => {
    expect(await raw("GET /spring HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 404 /);
    expect(await raw("NONSENSE\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
    expect(await raw(`GET /${"a".repeat(100_000)} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
    expect((await go("/spring")).status).toBe(302);
  });
});

function raw(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let response = "";
    const socket = net.connect(redirector.port, "127.0.0.1", () => socket.end(bytes));
    socket.on("data", (part) => (response += part.toString()));
    socket.on("error", () => resolve(response));
    socket.on("close", () => resolve(response));
  });
}
