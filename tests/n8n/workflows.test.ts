/** The n8n node in a real n8n, which `npm run test:servers` downloads. */
import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import path from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Clipmill, createClipmill, type Webhook } from "../../clients/typescript/clipmill.ts";
import { createApiToken } from "#tests/support/servers/api-token.ts";
import { signedInClient } from "#tests/support/servers/client.ts";
import type { ClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { startPostgres } from "#tests/support/servers/databases/postgres.ts";
import { startTemporaryClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { type N8n, startN8n } from "./start-n8n.ts";
import { findFreePort } from "#tests/support/network/free-port.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const installed = process.env["TEST_N8N"];
const linter = process.env["TEST_N8N_LINTER"];
const TRIGGER = "When clicking Execute";
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
    execa(process.execPath, [path.join(linter!, "node_modules", file), ...args], {
      cwd,
      env,
      reject: false,
      all: true,
    });

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
    const scan = await execa(process.execPath, ["--input-type=module", "-", folder], {
      input: SCAN,
      cwd: linter!,
      env,
    });
    expect(JSON.parse(scan.stdout)).toEqual([7, []]);
  });
});

// A second try would find the first one's workflows.
describe.skipIf(installed === undefined)("in n8n", { retry: 0 }, () => {
  let clipmill: ClipmillProcess;
  let client: Clipmill;
  let n8n: N8n;
  let credential: { id: string; name: string };
  let session: SupabaseClient;
  let token: string;
  let links: string[];
  const stack = new AsyncDisposableStack();

  beforeAll(async () => {
    const home = await makeScratchFolder();
    const port = await findFreePort();
    clipmill = await startTemporaryClipmill({ ALLOW_PRIVATE_WEBHOOKS: `127.0.0.1:${port}` });
    stack.defer(async () => void (await clipmill.stop()));
    session = await signedInClient(clipmill.url);
    token = await createApiToken(session, ["jobs:read", "jobs:write", "sets", "library", "settings"]);
    client = createClipmill({ url: clipmill.url, token });
    // A new installation adds its sample clips after the start.
    links = await vi.waitFor(async () => {
      const { data: files } = await client.library.list();
      if (files.length < 2) throw new Error("The library is still empty.");
      return files.slice(0, 2).map(({ link }) => link);
    }, WAIT);

    const nodes = path.join(home, ".n8n/nodes/node_modules/n8n-nodes-clipmill");
    await mkdir(path.dirname(nodes), { recursive: true });
    await build(nodes);
    const postgres = await startPostgres();
    stack.defer(() => postgres.stop());
    n8n = await startN8n({ installed: installed!, home, databaseUrl: postgres.urlOf("postgres"), port });
    stack.defer(() => n8n.stop());
    const data = { url: `${clipmill.url}/`, apiToken: token };
    const request = { name: "Clipmill", type: "clipmillApi", data };
    const { id, name } = await n8n.call<typeof credential>("POST", "/credentials", request);
    credential = { id, name };
  }, 180_000);
  afterAll(() => stack.disposeAsync());

  /** Of a file, or of Clipmill nodes in a row after a manual trigger. */
  async function addWorkflow(
    from: string | [name: string, parameters: object][],
    change: (node: Node) => void = () => {},
  ): Promise<Workflow> {
    const isFile = typeof from === "string";
    const text = isFile ? await readFile(path.join(ROOT, "clients/n8n/workflows", from), "utf8") : inARow(from);
    const workflow = JSON.parse(text) as Workflow;
    for (const node of workflow.nodes) {
      if (node.credentials) node.credentials = { clipmillApi: credential };
      change(node);
    }
    return await n8n.call("POST", "/workflows", workflow);
  }

  async function run(workflow: Workflow): Promise<Workflow> {
    await n8n.call("POST", `/workflows/${workflow.id}/run`, { triggerToStartFrom: { name: TRIGGER } });
    return workflow;
  }

  /** Waits for the newest execution of a workflow, and returns the items of each node. */
  async function readExecution(workflow: Workflow): Promise<Record<string, Item[]>> {
    const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow.id }));
    const newest = async (): Promise<Execution | undefined> =>
      (await n8n.call<{ results: Execution[] }>("GET", `/executions?filter=${filter}`)).results[0];
    await expect.poll(async () => (await newest())?.status, WAIT).toMatch(/^(success|error)$/);
    const { data, status } = await n8n.call<Execution>("GET", `/executions/${(await newest())!.id}`);
    const flatted = createRequire(path.join(installed!, "node_modules/n8n/package.json"))("flatted") as {
      parse(text: string): {
        resultData: {
          error?: { message: string; description: string };
          runData: Record<string, { data: { main: Item[][] } }[]>;
        };
      };
    };
    const { resultData } = flatted.parse(data);
    if (resultData.error) throw new Error(`${resultData.error.message}. ${resultData.error.description}`);
    expect(status).toBe("success");
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

  it("tests credentials with a call", async () => {
    const request = { ...credential, type: "clipmillApi" };
    const results = [token, "clm_wrong"].map((apiToken) => {
      const credentials = Object.assign({ data: { url: `${clipmill.url}/`, apiToken } }, request);
      return n8n.call("POST", "/credentials/test", { credentials });
    });
    expect(await Promise.all(results)).toMatchObject([{ status: "OK" }, { status: "Error" }]);
  });

  it("runs both workflow files: makes a table's variants, and downloads them when the job's event arrives", async () => {
    const finished = await addWorkflow("download-finished-jobs.json");
    const { versionId } = finished;
    await n8n.call("POST", `/workflows/${finished.id}/activate`, { versionId });
    const readWebhooks = async (): Promise<Webhook[]> => (await client.webhooks.list()).data;
    await expect.poll(readWebhooks, WAIT).toMatchObject([{ events: ["job.completed"], enabled: true }]);
    const [webhook] = await readWebhooks();

    const variants = await addWorkflow("variants-of-a-table.json", ({ name, parameters }) => {
      const videos = links.map((link, i) => ({ link, name: `video-${i}` }));
      if (name === "Videos") parameters["jsonOutput"] = JSON.stringify({ videos });
    });
    const items = await readExecution(await run(variants));
    expect(items["Wait for job"]).toMatchObject([{ json: { status: "Completed" } }]);
    const jobId = items["Create job"]![0]!.json["id"] as string;
    const { data: outputs } = await client.jobs.outputs({ jobId });
    expect(outputs).toHaveLength(4);
    const expected = Object.fromEntries(outputs.map(({ name, sha256 }) => [name, sha256]));
    expect(await checksumsOf(items["Download files"]!)).toEqual(expected);

    const event = await readExecution(finished);
    expect(event["When a job completes"]).toMatchObject([{ json: { type: "job.completed", data: { job_id: jobId } } }]);
    expect(await checksumsOf(event["Download files"]!)).toEqual(expected);

    const forged = await fetch(webhook!.url, {
      method: "POST",
      headers: { "content-type": "application/json", "webhook-id": "1", "webhook-signature": "v1,AAAA" },
      body: "{}",
    });
    expect(forged.status).toBe(401);
    await n8n.call("POST", `/workflows/${finished.id}/deactivate`, {});
    await expect.poll(readWebhooks, WAIT).toEqual([]);
  });

  it("creates a job from links with a preset, approves its samples, and shows why a table is rejected", async () => {
    const { data: preset } = await session
      .from("presets")
      .insert({ name: "Two captions", settings: { captions_enabled: true, custom_captions: ["One", "Two"] } })
      .select("id")
      .single();
    const jobId = "={{ $json.id }}";
    const approved = await addWorkflow([
      [
        "Create",
        {
          operation: "create",
          jobName: "Samples",
          links: links.join("\n"),
          presetId: preset!.id,
          settings: { proof_count: 1 },
        },
      ],
      ["Wait for samples", { operation: "wait", jobId }],
      ["Approve", { operation: "approve", jobId }],
      ["Wait", { operation: "wait", jobId }],
      ["Zip", { resource: "file", operation: "download", link: "={{ $json.download_url }}", fileName: "all.zip" }],
    ]);
    const items = await readExecution(await run(approved));
    expect(items["Wait for samples"]).toMatchObject([{ json: { awaiting_approval: true } }]);
    expect(items["Wait"]).toMatchObject([
      { json: { status: "Completed", awaiting_approval: false, job_name: "Samples" } },
    ]);
    expect(items["Zip"]).toMatchObject([{ binary: { data: { fileName: "all.zip", mimeType: "application/zip" } } }]);
    const { data: outputs } = await client.jobs.outputs({ jobId: items["Create"]![0]!.json["id"] as string });
    expect(outputs.map(({ caption }) => caption)).toContain("Two");

    const csv = `link,speed\n${links[0]},9`;
    const wrong = await addWorkflow([
      ["Create", { operation: "createFromTable", jobName: "Wrong", tableFrom: "csv", csv }],
    ]);
    await expect(readExecution(await run(wrong))).rejects.toThrow(/speed/);
  });
});

async function build(folder: string): Promise<void> {
  await execa("npm", ["run", "--silent", "build:n8n", "--", "--outDir", folder, "--logLevel", "warn"], { cwd: ROOT });
}

function inARow(nodes: [name: string, parameters: object][]): string {
  const names = [TRIGGER, ...nodes.map(([name]) => name)];
  const trigger = {
    name: TRIGGER,
    type: "n8n-nodes-base.manualTrigger",
    typeVersion: 1,
    position: [0, 0],
    parameters: {},
  };
  const others = nodes.map(([name, parameters], i) => ({
    name,
    type: "n8n-nodes-clipmill.clipmill",
    typeVersion: 1,
    position: [220 * (i + 1), 0],
    parameters: { resource: "job", ...parameters },
    credentials: {},
  }));
  const connections = names.slice(1).map((node, i) => [names[i], { main: [[{ node, type: "main", index: 0 }]] }]);
  const all = [trigger, ...others].map((node) => Object.assign(node, { id: randomUUID() }));
  return JSON.stringify({
    name: names.at(-1),
    nodes: all,
    connections: Object.fromEntries(connections),
    settings: { executionOrder: "v1" },
  });
}
