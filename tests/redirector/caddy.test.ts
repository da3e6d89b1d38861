import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { request } from "node:https";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { signBody } from "#ground/publish-signature.ts";
import type { Redirector } from "#redirector/start-redirector.ts";
import { findFreePort } from "#tests/support/network/free-port.ts";
import { documentOf, publish, routeOf, startTestRedirector, TOKEN } from "#tests/support/twins/redirector.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const CADDY = "caddy";
const CADDYFILE = path.resolve(import.meta.dirname, "../../deploy/Caddyfile");
const isInstalled = spawnSync(CADDY, ["version"]).status === 0;
if (!isInstalled) console.warn("Caddy is not installed; how it works in front of the redirector is not tested.");

const folder = await makeScratchFolder();
let redirector: Redirector;
let caddy: ChildProcess;
let port: number;

describe.skipIf(!isInstalled)("Caddy in front of the redirector, with on-demand certificates", () => {
  beforeAll(async () => {
    redirector = await startTestRedirector(path.join(folder, "redirector"));
    await publish(redirector, documentOf(1, [routeOf(1, { slug: "spring", primary: "https://target.test/a" })]));
    port = await findFreePort();
    const file = path.join(folder, "Caddyfile");
    await writeFile(file, toLocal(await readFile(CADDYFILE, "utf8")));
    caddy = spawn(CADDY, ["run", "--config", file, "--adapter", "caddyfile"], {
      stdio: ["ignore", "ignore", "ignore"],
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
        REDIRECTOR: `127.0.0.1:${redirector.port}`,
        REDIRECTOR_NAME: "back.test",
      },
    });
    await vi.waitFor(() => ask("shop.test", "/nothing"), { timeout: 30_000, interval: 100 });
  });
  afterAll(async () => {
    caddy.kill("SIGKILL");
    await once(caddy, "exit");
    await redirector.close();
  });

  it("redirects visitors of a published domain", async () => {
    expect(await ask("shop.test", "/spring?x=1")).toMatchObject({ status: 302, location: "https://target.test/a?x=1" });
    expect(await ask("shop.test", "/spring", { method: "HEAD" })).toMatchObject({ status: 302 });
  });

  it("gets a certificate for a domain only once it is published", async () => {
    await expect(ask("other.test", "/spring")).rejects.toThrow(/alert|TLS|SSL/i);
    await publish(redirector, documentOf(2, [routeOf(1, { domain: "other.test", slug: "spring" })]));
    expect(await ask("other.test", "/spring")).toMatchObject({ status: 302, location: "https://target.test/1" });
  });

  it("hides the redirector's internal paths from visitors and lets the back office publish", async () => {
    for (const own of ["/_clipmill/ask?domain=shop.test", "/_clipmill/metrics", "/_clipmill/publish"]) {
      expect([own, (await ask("shop.test", own)).status]).toEqual([own, 404]);
      expect([own, (await ask("back.test", own)).status]).toEqual([own, 404]);
    }
    const document = documentOf(3, [routeOf(1, { slug: "spring" })]);
    const signed = { method: "POST", headers: signBody(TOKEN, Buffer.from(document)), body: document };
    expect(await ask("back.test", "/_clipmill/publish", signed)).toMatchObject({ status: 200 });
    const again = { ...signed, headers: signBody(TOKEN, Buffer.from(document)) };
    expect(await ask("shop.test", "/_clipmill/publish", again)).toMatchObject({ status: 404 });
  });
});

/** Uses Caddy's local authority on a test port, without the admin API. */
function toLocal(caddyfile: string): string {
  const options = `{\n\tadmin off\n\tskip_install_trust\n\tlocal_certs\n\tauto_https disable_redirects\n\thttps_port ${port}\n`;
  return caddyfile.replace(/^\{\n/m, options);
}

type Visited = { status: number; location: string | null };

async function ask(
  host: string,
  at: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Visited> {
  const sent = request({
    host: "127.0.0.1",
    port,
    servername: host,
    path: at,
    method: options.method ?? "GET",
    headers: { host, "content-length": Buffer.byteLength(options.body ?? ""), ...options.headers },
    rejectUnauthorized: false,
    agent: false,
  });
  sent.end(options.body);
  const [response] = (await once(sent, "response")) as [import("node:http").IncomingMessage];
  response.resume();
  return { status: response.statusCode!, location: response.headers.location ?? null };
}
