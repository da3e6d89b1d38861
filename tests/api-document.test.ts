import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, TEST_ACCOUNT, type TestServer } from "#tests/support/servers/server.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
let server: TestServer;
let document: string;

beforeAll(async () => {
  server = await startTestServer();
  document = await readFile(path.join(ROOT, "docs/API.md"), "utf8");
});
afterAll(() => server.close());

/** Returns the document's code block in this language. */
function blockOf(language: string): string {
  return new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms").exec(document)![1]!;
}

function environment(): Record<string, string> {
  return { URL: server.url, EMAIL: TEST_ACCOUNT.email, PASSWORD: TEST_ACCOUNT.password };
}

it("runs the curl example of the API document unchanged", async () => {
  const script = `set -eu\n${blockOf("sh")}`;
  const { stdout } = await execa("bash", ["-c", script], { env: environment() });
  expect(stdout).toContain('"job_name":"Monday batch"');
  expect(stdout).toContain('"status":"Queued"');
  expect(stdout).toContain('{"success":true}');
  expect(stdout).toMatch(/\{"deleted":\["[0-9a-f-]{36}"\],"refused":\[\]\}/);
  expect(stdout).toContain('"default_variants":3');
  expect(stdout).toMatch(/"name":"shop\.example\.com".*"routes":\[\{"count":0\}\]/);
  expect(await server.context.db.selectFrom("domains").selectAll().execute()).toEqual([]);
  expect(await server.context.db.selectFrom("jobs").selectAll().execute()).toEqual([]);
});

it("runs the client example of the API document unchanged", async () => {
  // Inside the project, so that Node.js resolves the client.
  const folder = await mkdtemp(path.join(ROOT, "node_modules/.api-document-"));
  const file = path.join(folder, "page.mjs");
  await writeFile(file, blockOf("js"));
  try {
    const { stdout } = await execa(process.execPath, [file], { env: environment(), timeout: 30_000 });
    expect(stdout).toContain("Queued 1");
    expect(stdout).toContain("{ success: true }");
    expect(stdout).toContain("{ job_name: 'From a script', status: 'Cancelled' }");
    expect(stdout).toMatch(/INSERT \w+/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
