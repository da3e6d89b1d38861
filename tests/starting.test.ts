import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, expect, it } from "vitest";
import { prepareMediaTools } from "#programs/open-machine.ts";
import { readConfig } from "../src/config.ts";
import { EMAIL, PASSWORD, startClipmillProcess, startProgram } from "./support/servers/clipmill-process.ts";
import { findFreePort } from "./support/network/free-port.ts";
import { makeScratchFolder } from "./support/scratch-folder.ts";

const folder = await makeScratchFolder();
let stop: (() => Promise<unknown>) | undefined;
afterAll(() => stop?.());

type Answers = { health: number; ready: number; page: number; signIn: number };

/** Returns null until the port accepts connections. */
async function ask(url: string): Promise<Answers | null> {
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

it("returns 503 except on /health during startup, and never refuses the right password", async () => {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const seen: Answers[] = [];
  const ready = new AbortController();
  const starting = startClipmillProcess(path.join(folder, "data"), { PORT: String(port) }).finally(() => ready.abort());
  while (!ready.signal.aborted) {
    const answers = await ask(url);
    if (answers) seen.push(answers);
    await delay(20);
  }
  const clipmill = await starting;
  stop = () => clipmill.stop();
  expect(seen[0]).toEqual({ health: 200, ready: 503, page: 503, signIn: 503 });
  expect(new Set(seen.map(({ health }) => health))).toEqual(new Set([200]));
  expect(seen.filter(({ signIn }) => signIn !== 503 && signIn !== 200)).toEqual([]);
  expect(await ask(url)).toEqual({ health: 200, ready: 200, page: 200, signIn: 200 });

  // Requests are logged only at LOG_LEVEL=debug, so a newcomer sees no JSON. ffmpeg's risks follow the sign-in.
  const { stdout, stderr } = clipmill.output();
  expect(stderr).toBe("");
  const [before, after] = stdout.split(`\nClipmill is ready: ${url}\n`);
  expect(before).toMatch(/^(Building the web app\. [^\n]*\n)?$/);
  const { notices } = await prepareMediaTools(readConfig({ DATA_DIR: folder }), pino({ level: "silent" }));
  const end = notices.length > 0 ? `${notices.join("\n")}\n\n` : "";
  expect(after).toBe(`Sign in as ${EMAIL} with the password from ADMIN_PASSWORD\n\n${end}`);
  await clipmill.stop();

  const again = await startProgram("start", path.join(folder, "data"), {}, { nodeFlags: [] });
  stop = () => again.stop();
  await expect
    .poll(() => again.output().stdout)
    .toMatch(/\nForgot the password\? [^\n]*npx clipmill user reset-password <email>\n\n/);
  await expect.poll(() => again.output().stdout.split("\n\n").slice(1).join("\n\n")).toBe(end);
  expect(again.output().stderr).toBe("");
  expect(again.output().stdout).not.toContain("Sign in as");
});
