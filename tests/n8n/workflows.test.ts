/** The n8n node in a real n8n, which `npm run test:servers` downloads. */
import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Clipmill, createClipmill } from "../../clients/typescript/clipmill.ts";
import { createApiToken } from "#tests/support/servers/api-token.ts";
import { signedInClient } from "#tests/support/servers/client.ts";
import type { ClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { startPostgres } from "#tests/support/servers/databases/postgres.ts";
import { startTemporaryClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { type N8n, startN8n } from "#tests/support/servers/n8n.ts";
import { findFreePort } from "#tests/support/network/free-port.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const installed = process.env["TEST_N8N"];
const linter = process.env["TEST_N8N_LINTER"];
const WAIT = { timeout: 120_000, interval: 500 };

type Node = { name: string; type: string; parameters: Record<string, unknown>; credentials?: object };
type Workflow = { id: string; name: string; versionId: string; nodes: Node[] };
type Item = { json: Record<string, unknown>; binary?: { data: { id: string; fileName: string; mimeType: string } } };
type Execution = { id: string; status: string; data: string };

/** Like n8n's check of published packages: the files that run, without exceptions by comments. */
const SCAN = `
import { n8nCommunityNodesPlugin } from "@n8n/eslint-plugin-community-nodes";
import parser from "@typescript-eslint/parser";
import { ESLint } from "eslint";
const overrideConfig = [n8nCommunityNodesPlugin.configs.recommended, { files: ["**/*.json"], languageOptions: { parser } }];
const eslint = new ESLint({ cwd: process.argv[2], allowInlineConfig: false, overrideConfigFile: true, overrideConfig });
const results = await eslint.lintFiles(["**/*.js", "**/*.json"]);
console.log(JSON.stringify([results.length, results.flatMap(({ messages }) => messages)]));
`;

describe.skipIf(linter === undefined)("the package", () => {
  // With NODE_ENV=test, n8n's rules expect their own test files.
  const env = { NODE_ENV: "production" };
  const run = (file: string, args: string[], cwd: string) =>
    execa(process.execPath, [path.join(linter!, "node_modules", file), ...args], { cwd, env, reject: false, all: true });

  it("passes n8n's linter and compiles", async () => {
    const folder = path.join(await makeScratchFolder(), "lint");
    for (const part of ["clients/n8n", "clients/typescript", "tsconfig.json"]) {
      await cp(path.join(ROOT, part), path.join(folder, part), { recursive: true });
    }
    await symlink(path.join(linter!, "node_modules"), path.join(folder, "node_modules"));
    const cwd = path.join(folder, "clients/n8n");
    const lint = await run("eslint/bin/eslint.js", [".", "--max-warnings", "0"], cwd);
    expect([lint.exitCode, lint.all]).toEqual([0, ""]);
    const types = await run("typescript/bin/tsc", ["-p", "."], cwd);
    expect([types.exitCode, types.all]).toEqual([0, ""]);
  });

  it("passes n8n's check of published packages", async () => {
    const folder = path.join(await makeScratchFolder(), "built");
    await build(folder);
    const scan = await execa(process.execPath, ["--input-type=module", "-", folder], { input: SCAN, cwd: linter!, env });
    expect(JSON.parse(scan.stdout)).toEqual([7, []]);
  });
});

describe.skipIf(installed === undefined)("in n8n", () => {
  let clipmill: ClipmillProcess;
  let client: Clipmill;
  let n8n: N8n;
  let credential: { id: string; name: string };
  let links: string[];
  const stack = new AsyncDisposableStack();

  beforeAll(async () => {
    const home = await makeScratchFolder();
    const port = await findFreePort();
    clipmill = await startTemporaryClipmill({ ALLOW_PRIVATE_WEBHOOKS: `127.0.0.1:${port}` });
    stack.defer(async () => void (await clipmill.stop()));
    const session = await signedInClient(clipmill.url);
    const token = await createApiToken(session, ["jobs:read", "jobs:write", "sets", "library", "settings"]);
    client = createClipmill({ url: clipmill.url, token });
    const { data: files } = await client.library.list();
    links = files.slice(0, 2).map(({ link }) => link);

    const nodes = path.join(home, ".n8n/nodes/node_modules/n8n-nodes-clipmill");
    await mkdir(path.dirname(nodes), { recursive: true });
    await build(nodes);
    const postgres = await startPostgres();
    stack.defer(() => postgres.stop());
    n8n = await startN8n({ installed: installed!, home, databaseUrl: postgres.urlOf("postgres"), port });
    stack.defer(() => n8n.stop());
    const data = { url: `${clipmill.url}/`, apiToken: token };
    credential = await n8n.call("POST", "/credentials", { name: "Clipmill", type: "clipmillApi", data });
  }, 180_000);
  afterAll(() => stack.disposeAsync());

  async function addWorkflow(file: string, change: (node: Node) => void = () => {}): Promise<Workflow> {
    const workflow = JSON.parse(await readFile(path.join(ROOT, "clients/n8n/workflows", file), "utf8")) as Workflow;
    for (const node of workflow.nodes) {
      if (node.credentials) node.credentials = { clipmillApi: { id: credential.id, name: credential.name } };
      change(node);
    }
    return await n8n.call("POST", "/workflows", workflow);
  }

  /** Waits for the newest execution of a workflow, and returns the items of each node. */
  async function readExecution(workflow: Workflow): Promise<Record<string, Item[]>> {
    const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow.id }));
    const newest = async (): Promise<Execution | undefined> =>
      (await n8n.call<{ results: Execution[] }>("GET", `/executions?filter=${filter}`)).results[0];
    await expect.poll(async () => (await newest())?.status, WAIT).toMatch(/^(success|error)$/);
    const { data, status } = await n8n.call<Execution>("GET", `/executions/${(await newest())!.id}`);
    const { parse } = createRequire(path.join(installed!, "node_modules/n8n/package.json"))("flatted") as {
      parse(text: string): {
        resultData: { error?: unknown; runData: Record<string, { data: { main: Item[][] } }[]> };
      };
    };
    const { resultData } = parse(data);
    expect([status, resultData.error]).toEqual(["success", undefined]);
    return Object.fromEntries(Object.entries(resultData.runData).map(([name, runs]) => [name, runs[0]!.data.main[0]!]));
  }

  /** The files that n8n stored, as SHA-256 by name. */
  async function checksumsOf(items: Item[]): Promise<Record<string, string>> {
    const sums: Record<string, string> = {};
    for (const { json, binary } of items) {
      expect(binary!.data).toMatchObject({ fileName: json["name"], mimeType: "video/mp4" });
      sums[json["name"] as string] = await n8n.readBinary(binary!.data.id);
    }
    return sums;
  }

  it("tests credentials by a call", async () => {
    const test = (apiToken: string): Promise<{ status: string; message: string }> =>
      n8n.call("POST", "/credentials/test", {
        credentials: {
          id: credential.id,
          name: "Clipmill",
          type: "clipmillApi",
          data: { url: clipmill.url, apiToken },
        },
      });
    expect(await test("clm_wrong")).toMatchObject({ status: "Error" });
  });

  it("runs both workflow files: makes a table's variants, and downloads them when the job's event arrives", async () => {
    const finished = await addWorkflow("download-finished-jobs.json");
    const { versionId } = finished;
    await n8n.call("POST", `/workflows/${finished.id}/activate`, { versionId });
    const { data: webhooks } = await client.webhooks.list();
    expect(webhooks).toEqual([expect.objectContaining({ events: ["job.completed"], enabled: true })]);

    const variants = await addWorkflow("variants-of-a-table.json", ({ name, parameters }) => {
      const videos = links.map((link, i) => ({ link, name: `video-${i}` }));
      if (name === "Videos") parameters["jsonOutput"] = JSON.stringify({ videos });
    });
    await n8n.call("POST", `/workflows/${variants.id}/run`, { triggerToStartFrom: { name: "When clicking Execute" } });
    const items = await readExecution(variants);
    expect(items["Wait for job"]).toMatchObject([{ json: { status: "Completed" } }]);
    const jobId = items["Create job"]![0]!.json["id"] as string;
    const { data: outputs } = await client.jobs.outputs({ jobId });
    expect(outputs).toHaveLength(4);
    const expected = Object.fromEntries(outputs.map(({ name, sha256 }) => [name, sha256]));
    expect(await checksumsOf(items["Download files"]!)).toEqual(expected);

    const event = await readExecution(finished);
    expect(event["When a job completes"]).toMatchObject([{ json: { type: "job.completed", data: { job_id: jobId } } }]);
    expect(await checksumsOf(event["Download files"]!)).toEqual(expected);

    const forged = await fetch(webhooks[0]!.url, {
      method: "POST",
      headers: { "content-type": "application/json", "webhook-id": "1", "webhook-signature": "v1,AAAA" },
      body: "{}",
    });
    expect(forged.status).toBe(401);
    await n8n.call("POST", `/workflows/${finished.id}/deactivate`, {});
    expect((await client.webhooks.list()).data).toEqual([]);
  });
});

async function build(folder: string): Promise<void> {
  await execa("npm", ["run", "--silent", "build:n8n", "--", "--outDir", folder, "--logLevel", "warn"], { cwd: ROOT });
}
