import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findFreePort } from "#tests/support/network/free-port.ts";

const POLL_MS = 250;
const OWNER = { email: "owner@example.com", firstName: "Test", lastName: "Owner", password: "Correct-horse-1" };

export type N8n = {
  url: string;
  /** Calls n8n's own API as the owner. Rejects with its message. */
  call<Answer>(method: string, path: string, body?: object): Promise<Answer>;
  /** Returns the SHA-256 of a stored file, in hex. */
  readBinary(id: string): Promise<string>;
  output(): string;
  stop(): Promise<void>;
};

type Options = {
  /** Of `installN8n`. */
  installed: string;
  /** n8n's own folder, with the nodes in `.n8n/nodes/node_modules`. */
  home: string;
  /** An empty database on PostgreSQL. */
  databaseUrl: string;
  port: number;
};

/** Starts n8n on loopback and sets up its owner. */
export async function startN8n({ installed, home, databaseUrl, port }: Options): Promise<N8n> {
  await mkdir(home, { recursive: true });
  const database = new URL(databaseUrl);
  const brokerPort = await findFreePort();
  const child = spawn(process.execPath, [path.join(installed, "node_modules/n8n/bin/n8n"), "start"], {
    cwd: home,
    env: {
      PATH: process.env["PATH"],
      HOME: home,
      N8N_USER_FOLDER: home,
      N8N_PORT: String(port),
      N8N_LISTEN_ADDRESS: "127.0.0.1",
      N8N_RUNNERS_BROKER_PORT: String(brokerPort),
      WEBHOOK_URL: `http://127.0.0.1:${port}/`,
      DB_TYPE: "postgresdb",
      DB_POSTGRESDB_HOST: database.hostname,
      DB_POSTGRESDB_PORT: database.port,
      DB_POSTGRESDB_DATABASE: database.pathname.slice(1),
      DB_POSTGRESDB_USER: database.username,
      DB_POSTGRESDB_PASSWORD: database.password,
      N8N_SECURE_COOKIE: "false",
      N8N_DIAGNOSTICS_ENABLED: "false",
      N8N_VERSION_NOTIFICATIONS_ENABLED: "false",
      N8N_TEMPLATES_ENABLED: "false",
      N8N_COMMUNITY_PACKAGES_REGISTRY: "http://127.0.0.1:9",
      EXTERNAL_FRONTEND_HOOKS_URLS: "",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const kill = (): boolean => child.kill("SIGKILL");
  process.once("exit", kill);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (output += part.toString()));
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(child, url, () => output);
  let cookie = "";
  async function call<Answer>(method: string, address: string, body?: object): Promise<Answer> {
    const headers = { "content-type": "application/json", cookie };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${url}/rest${address}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${text}`);
    const given = response.headers.getSetCookie().map((one) => one.split(";")[0]!);
    if (given.length > 0) cookie = given.join("; ");
    return (JSON.parse(text) as { data: Answer }).data;
  }
  await call("POST", "/owner/setup", OWNER);
  return {
    url,
    call,
    async readBinary(id) {
      const address = `${url}/rest/binary-data?id=${encodeURIComponent(id)}&action=download`;
      const response = await fetch(address, { headers: { cookie } });
      if (!response.ok) throw new Error(`${address}: ${response.status}`);
      return createHash("sha256")
        .update(Buffer.from(await response.arrayBuffer()))
        .digest("hex");
    },
    output: () => output,
    async stop() {
      process.off("exit", kill);
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

async function waitUntilReady(child: ChildProcess, url: string, output: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`n8n ended with ${child.exitCode}: ${output()}`);
    const response = await fetch(`${url}/healthz/readiness`).catch(() => null);
    if (response?.ok === true) return;
    await delay(POLL_MS);
  }
}
