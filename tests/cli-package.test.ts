/** The command line as its own package, in a folder without packages. */
import { readdirSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createApiToken } from "#tests/support/servers/api-token.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import packageJson from "../package.json" with { type: "json" };

const ROOT = path.resolve(import.meta.dirname, "..");
const MAX_BYTES = 5_000_000;

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startTestServer();
  folder = path.join(await makeScratchFolder(), "cli");
  await execa("npm", ["run", "--silent", "build:cli", "--", "--outDir", folder, "--logLevel", "warn"], { cwd: ROOT });
});
afterAll(() => server.close());

async function run(...args: string[]): Promise<{ stdout: string; stderr: string; exitCode?: number | undefined }> {
  const env = {
    CLIPMILL_SERVER: server.url,
    CLIPMILL_TOKEN: await createApiToken(server.client),
    XDG_CONFIG_HOME: folder,
  };
  const program = path.join(folder, "clipmill.js");
  return await execa(process.execPath, [program, ...args], { cwd: folder, env, extendEnv: false, reject: false });
}

it("is small, has this version, and needs no other package", async () => {
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
  expect(bytes).toBeLessThan(MAX_BYTES);
  const { version, dependencies } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
  expect([version, dependencies]).toEqual([packageJson.version, undefined]);
  expect((await run("--version")).stdout).toBe(packageJson.version);
});

it("uses a server, and has none of the commands that run or manage one", async () => {
  const { data } = await server.client.from("caption_sets").insert({ name: "Hooks", captions: ["One", "Two"] });
  expect(data).toBeNull();
  const { stdout, exitCode } = await run("sets", "list", "--json");
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ name: "Hooks", items: 2 })]);
  expect(await run("jobs", "list")).toMatchObject({ exitCode: 0 });
  const start = await run("start");
  expect(start.exitCode).toBe(2);
  expect(start.stderr).toContain("unknown command 'start'");
});
