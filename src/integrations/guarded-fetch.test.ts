import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import net from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { isPublicAddress } from "#ground/public-address.ts";
import { guardedFetch, type GuardedRequest } from "./guarded-fetch.ts";

const servers: (net.Server | http.Server)[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(handle: http.RequestListener): Promise<string> {
  const server = http.createServer(handle).listen(0, "127.0.0.1");
  await once(server, "listening");
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Counts connections and sends nothing. */
async function listen(host: string): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  const server = net.createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(0, host);
  await once(server, "listening");
  servers.push(server);
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

function options(baseUrl: string, more: Partial<GuardedRequest> = {}): GuardedRequest {
  return {
    service: "The service",
    baseUrl,
    allowedHosts: [],
    signal: new AbortController().signal,
    stallSeconds: 10,
    ...more,
  };
}

describe("guardedFetch", () => {
  it("trusts the configured address as written and follows redirects within it", async () => {
    const base = await serve((request, response) => {
      if (request.url === "/end") response.end(`range ${request.headers.range}`);
      else response.writeHead(302, { location: "/end" }).end();
    });
    const response = await guardedFetch(new URL("/start", base), options(base, { headers: { range: "bytes=5-" } }));
    expect(response).toMatchObject({ status: 200, url: { pathname: "/end" } });
    expect(await text(response.body)).toBe("range bytes=5-");
  });

  it("sends JSON by POST, and never on to the target of a redirect", async () => {
    const seen: string[] = [];
    const handle = async (request: http.IncomingMessage, response: http.ServerResponse) => {
      seen.push(`${request.method} ${request.url} ${request.headers["content-type"]} ${await text(request)}`);
      if (request.url === "/end") response.end();
      else response.writeHead(307, { location: "/end" }).end();
    };
    const base = await serve((request, response) => void handle(request, response));
    await guardedFetch(new URL("/start", base), options(base, { json: { a: 1 } }));
    expect(seen).toEqual(['POST /start application/json {"a":1}', "GET /end undefined "]);
  });

  it("follows at most 5 redirects", async () => {
    let requests = 0;
    const base = await serve((_, response) => {
      requests += 1;
      response.writeHead(302, { location: `/${requests}` }).end();
    });
    await expect(guardedFetch(new URL(base), options(base))).rejects.toMatchObject({ code: "bad_link" });
    expect(requests).toBe(6);
  });

  it.each([
    "http://allowed.example/x",
    "https://other.example/x",
    "https://allowed.example.evil.example/x",
    "https://evilallowed.example/x",
    "https://user:secret@allowed.example/x",
    "http://169.254.169.254/latest/meta-data/",
    "file:///etc/passwd",
  ])("does not follow a redirect to %s", async (location) => {
    const base = await serve((_, response) => response.writeHead(302, { location }).end());
    const asked = guardedFetch(
      new URL(base),
      options(base, { allowedHosts: ["allowed.example", "*.allowed.example"] }),
    );
    await expect(asked).rejects.toMatchObject({
      code: "bad_link",
      message: "This link points outside The service, so it was not followed.",
    });
  });

  it.each(["127.0.0.1", "localhost"])(
    "never connects to %s after a redirect, even if the host is allowed",
    async (host) => {
      const inside = await listen(host);
      const base = await serve((_, response) =>
        response.writeHead(302, { location: `https://${host}:${inside.port}/` }).end(),
      );
      const asked = guardedFetch(new URL(base), options(base, { allowedHosts: [host] }));
      await expect(asked).rejects.toMatchObject({ code: "bad_link", facts: { reason: "address" } });
      expect(inside.connections()).toBe(0);
    },
  );

  it("returns a redirect to the stop host", async () => {
    const base = await serve((_, response) =>
      response.writeHead(302, { location: "https://sign-in.example/?next=x" }).end(),
    );
    const response = await guardedFetch(new URL(base), options(base, { stopAtHost: "sign-in.example" }));
    expect(response.status).toBe(302);
  });

  it("times out on a silent service", async () => {
    const base = await serve(() => {});
    await expect(guardedFetch(new URL(base), options(base, { stallSeconds: 0.2 }))).rejects.toMatchObject({
      code: "network",
      message: "The service stopped sending data. Check the network, then retry.",
    });
  });

  it("reports an unreachable service without its address", async () => {
    const closed = await listen("127.0.0.1");
    servers.pop()?.close();
    const url = new URL(`http://127.0.0.1:${closed.port}/?key=secret`);
    await expect(guardedFetch(url, options(url.origin))).rejects.toMatchObject({
      code: "network",
      message: "The service could not be reached. Check the network, then retry.",
      facts: { reason: "ECONNREFUSED" },
      cause: undefined,
    });
  });

  it("ends immediately when canceled", async () => {
    const controller = new AbortController();
    const base = await serve(() => controller.abort());
    const asked = guardedFetch(new URL(base), options(base, { signal: controller.signal }));
    await expect(asked).rejects.toMatchObject({ code: "cancelled" });
  });
});

describe("isPublicAddress", () => {
  it.each(["8.8.8.8", "142.250.74.78", "2a00:1450:4001:80e::200e"])("accepts %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    "127.0.0.1",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.169.254",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::127.0.0.1",
    "::7f00:1",
    "::a9fe:a9fe",
    "::808:808",
    "::ffff:0:7f00:1",
    "64:ff9b:1::7f00:1",
    "2001:0:7f00:1::",
    "fec0::1",
    "4000::1",
    "fe80::1",
    "fd00::1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "not an address",
  ])("rejects %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
