import { mkdir, writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";

const SCRIPT = "console.log('clipmill');";
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer(async (folder) => {
    await mkdir(path.join(folder, "web/assets"), { recursive: true });
    await writeFile(path.join(folder, "web/index.html"), "<!doctype html><title>Clipmill</title>");
    await writeFile(path.join(folder, "web/assets/app-1a2b3c.js"), SCRIPT);
    await writeFile(path.join(folder, "web/assets/app-1a2b3c.js.br"), brotliCompressSync(SCRIPT));
    await writeFile(path.join(folder, "secret.txt"), "not for the web");
  });
});
afterAll(() => server.close());

const get = (pathname: string, headers: Record<string, string> = {}) => fetch(server.url + pathname, { headers });

it("serves the app's page for each of its paths, always revalidated", async () => {
  for (const pathname of ["/", "/index.html", "/video-processing", "/jobs/1.2"]) {
    const page = await get(pathname, { accept: "text/html" });
    expect([pathname, page.status, page.headers.get("cache-control")]).toEqual([pathname, 200, "no-cache"]);
    expect(await page.text()).toContain("<title>Clipmill</title>");
    expect((await get(pathname, { accept: "text/html", "if-none-match": page.headers.get("etag")! })).status).toBe(304);
  }
});

it("serves compressed files to clients that accept them, cached forever", async () => {
  const packed = await get("/assets/app-1a2b3c.js", { "accept-encoding": "gzip, br" });
  expect(packed.headers.get("content-encoding")).toBe("br");
  expect(packed.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(packed.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(await packed.text()).toBe(SCRIPT);
  const plain = await get("/assets/app-1a2b3c.js", { "accept-encoding": "identity" });
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(await plain.text()).toBe(SCRIPT);
});

it("returns no page for a missing script or an unknown call", async () => {
  for (const pathname of ["/assets/gone.js", "/rest/unknown", "/auth/v2/token", "/functions/", "/storage/v1/x"]) {
    const response = await get(pathname);
    expect([pathname, response.status]).toEqual([pathname, 404]);
    expect(await response.json()).toMatchObject({ error: "There is nothing at this address." });
  }
});

it("never leaves its folder", async () => {
  const raw = await new Promise<string>((resolve, reject) => {
    let text = "";
    const socket = createConnection({ port: Number(new URL(server.url).port), host: "127.0.0.1" });
    socket
      .on("data", (part: Buffer) => (text += part.toString()))
      .on("end", () => resolve(text))
      .on("error", reject);
    socket.write("GET /../secret.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  });
  expect(raw).not.toContain("not for the web");
  for (const pathname of ["/..%2fsecret.txt", "/%2e%2e/secret.txt", "/assets/..%5c..%5csecret.txt"]) {
    expect(await (await get(pathname)).text()).not.toContain("not for the web");
  }
});

it("sends a strict policy with every response", async () => {
  for (const pathname of ["/", "/rest/v1/jobs", "/downloads/jobs/x", "/health"]) {
    const { headers } = await get(pathname);
    expect(headers.get("content-security-policy")).toContain("script-src 'self'; style-src 'self';");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  }
});
