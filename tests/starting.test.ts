import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, expect, it } from "vitest";
import { prepareMediaTools } from "#programs/open-machine.ts";
import { readConfig } from "../src/config.ts";
import { EMAIL, PASSWORD, startClipmillProcess, startProgram } from "./support/servers/clipmill-process.ts";
import { recordImports } from "./support/record-imports.ts";
import { findFreePort } from "./support/network/free-port.ts";
import { makeScratchFolder } from "./support/scratch-folder.ts";

const folder = await makeScratchFolder();
let stop: (() => Promise<unknown>) | undefined;
afterAll(() => stop?.());

type Statuses = { health: number; ready: number; page: number; signIn: number };

/** Returns null until the port accepts connections. */
async function ask(url: string): Promise<Statuses | null> {
  const body = JSON.stringify({ email: EMAIL, password: PASSWORD });
  const headers = { "content-type": "application/json" };
  try {
    const [ready, page, signIn, health] = [
      await fetch(`${url}/ready`),
      await fetch(`${url}/dashboard`, { headers: { accept: "text/html" } }),
      await fetch(`${url}/auth/v1/token?grant_type=password`, { method: "POST", headers, body }),
      await fetch(`${url}/health`),
    ];
    return { health: health.status, ready: ready.status, page: page.status, signIn: signIn.status };
  } catch {
    return null;
  }
}

it("returns 503 except on /health during startup, and never rejects the right password", async () => {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const seen: Statuses[] = [];
  const ready = new AbortController();
  const imports = path.join(folder, "imports");
  const environment = { PORT: String(port), NODE_OPTIONS: recordImports(imports) };
  const starting = startClipmillProcess(path.join(folder, "data"), environment).finally(() => ready.abort());
  while (!ready.signal.aborted) {
    const statuses = await ask(url);
    if (statuses) seen.push(statuses);
    await delay(20);
  }
  const clipmill = await starting;
  stop = () => clipmill.stop();
  expect(seen[0]).toEqual({ health: 200, ready: 503, page: 503, signIn: 503 });
  expect(new Set(seen.map(({ health }) => health))).toEqual(new Set([200]));
  expect(seen.filter(({ signIn }) => signIn !== 503 && signIn !== 200)).toEqual([]);
  expect(await ask(url)).toEqual({ health: 200, ready: 200, page: 200, signIn: 200 });

  // Requests are logged only at LOG_LEVEL=debug, so a newcomer sees no JSON. The address comes last.
  const { stdout, stderr } = clipmill.output();
  expect(stderr).toBe("");
  const { notices } = await prepareMediaTools(readConfig({ DATA_DIR: folder }), pino({ level: "silent" }));
  const start = notices.length > 0 ? `\n${notices.join("\n")}\n` : "";
  expect(stdout.replace(/^Building the web app \(about 20 s\)\n/, "")).toBe(
    `${start}\nSign in as ${EMAIL} with the password from ADMIN_PASSWORD\n\nClipmill is ready: ${url}\n`,
  );
  await clipmill.stop();
  // Traces cost nothing while they are off. prom-client loads the API for its exemplars.
  const imported = (await readFile(imports, "utf8")).split("\n");
  expect(imported).toContain("pg-boss");
  const ofTraces = new Set(imported.filter((name) => name.includes("opentelemetry")));
  expect(ofTraces).toEqual(new Set(["@opentelemetry/api"]));

  const again = await startProgram("start", path.join(folder, "data"), {}, { nodeFlags: [] });
  stop = () => again.stop();
  expect(again.output().stdout).toBe(
    `${start}\nForgot the password? Run: npx clipmill user reset-password <email>\n\nClipmill is ready: ${again.url}\n`,
  );
  expect(again.output().stderr).toBe("");
  expect(again.output().stdout).not.toContain("Sign in as");
});
