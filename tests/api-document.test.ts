import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CreateTokenResponse } from "#contract/api-tokens.ts";
import { describeApi } from "#server/functions/openapi/describe-api.ts";
import { mismatchOf } from "#tests/support/servers/check-responses.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { startTextWorker } from "#tests/support/jobs/text-worker.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
let server: TestServer;
let text: string;
let environment: Record<string, string>;

beforeAll(async () => {
  server = await startTestServer();
  text = await readFile(path.join(ROOT, "docs/API.md"), "utf8");
  const body = { name: "Examples", scopes: ["jobs:read", "jobs:write", "sets", "cloak"] };
  const { data } = await server.client.functions.invoke<CreateTokenResponse>("tokens", { body });
  environment = { URL: server.url, TOKEN: data!.token };
});
afterAll(() => server.close());

function blockOf(language: string): string {
  return new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms").exec(text)![1]!;
}

describe("the API document", () => {
  it("is valid OpenAPI 3.1, with unique operations that state their scope", async () => {
    const document = describeApi() as { paths: Record<string, Record<string, Record<string, unknown>>> };
    expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const ids = operations.map((operation) => operation["operationId"]);
    expect(new Set(ids).size).toBe(ids.length);
    const open = operations.filter((operation) => !operation["x-scope"] && !operation["security"]);
    expect(open).toEqual([]);
  });

  it("describes the rows of all tables", async () => {
    await server.client.from("caption_sets").insert({ name: "Greetings", captions: ["Hello"] });
    await server.client.from("audio_sets").insert({ name: "Calm", audio_links: ["https://drive.google.com/file/d/a"] });
    await server.client.from("brand_kits").insert({ name: "Red", settings: { caption_color: "#ff0000" } });
    await server.client.from("presets").insert({ name: "Shorts", settings: { variants_per_video: 2 } });
    const { data: domain } = await server.client
      .from("domains")
      .insert({ name: "a.test" })
      .select()
      .single<{ id: string }>();
    await server.client.from("routes").insert({ domain_id: domain!.id, slug: "a", primary_url: "https://b.test" });
    const { id } = await server.create();
    const { paths } = describeApi() as { paths: Record<string, object> };
    const tables = Object.keys(paths).filter((path) => path.startsWith("/rest/v1/"));
    const mismatches = tables.map(async (path) => {
      const name = path.slice("/rest/v1/".length);
      const { data, error } = await server.client.from(name).select().limit(1);
      const type = /#\/components\/schemas\/(\w+)/.exec(JSON.stringify(paths[path]))![1]!;
      // No worker has made an output yet.
      const isEmpty = data?.length === 0 && name !== "job_outputs";
      return [name, error, isEmpty, ...(data ?? []).map((row) => mismatchOf(type, row))];
    });
    expect(await Promise.all(mismatches)).toEqual(
      tables.map((path) => expect.arrayContaining([path.slice(9), null, false])),
    );
    expect(
      (await Promise.all(mismatches))
        .flat()
        .filter((mismatch) => typeof mismatch === "string" && mismatch.includes(" ")),
    ).toEqual([]);
    await server.context.db.deleteFrom("jobs").where("id", "=", id).execute();
    await server.client.from("domains").delete().eq("name", "a.test");
  });
});

describe("the examples of docs/API.md, unchanged,", () => {
  it("run with curl", async () => {
    const { stdout } = await execa("bash", ["-c", `set -eu\n${blockOf("sh")}`], { env: environment });
    expect(stdout).toContain('"job_name":"Monday batch"');
    expect(stdout).toContain('"status":"Queued"');
    expect(stdout).toContain('{"success":true}');
    expect(stdout).toMatch(/\{"deleted":\["[0-9a-f-]{36}"\],"refused":\[\]\}/);
    expect(stdout).toMatch(/"name":"shop\.example\.com".*"routes":\[\{"count":0\}\]/);
    expect(await server.context.db.selectFrom("domains").selectAll().execute()).toEqual([]);
    expect(await server.context.db.selectFrom("jobs").selectAll().execute()).toEqual([]);
  });

  it("create jobs and download them with TypeScript and Python", async () => {
    await startTextWorker(server);
    const folder = await mkdtemp(path.join(server.folder, "examples-"));
    for (const name of ["clipmill.ts", "api.ts"]) {
      await writeFile(path.join(folder, name), await readFile(path.join(ROOT, "clients/typescript", name)));
    }
    await writeFile(path.join(folder, "example.ts"), blockOf("ts"));
    await writeFile(path.join(folder, "package.json"), '{"type": "module"}');
    const options = { env: environment, cwd: folder };
    const typed = await execa(process.execPath, ["example.ts"], options);
    expect(typed.stdout.split("\n")).toEqual([
      "Completed 2",
      "[ '1.mp4', '2.mp4' ]",
      expect.stringMatching(/^conflict Nothing failed in this job\. Read /),
    ]);
    expect((await readFile(path.join(folder, "monday.zip"))).subarray(0, 2).toString()).toBe("PK");
    const python = await execa("python3", ["-c", blockOf("python")], options);
    expect(python.stdout).toBe("Completed\nTrue");
    // The keys of the examples keep a second run from creating more.
    await execa("python3", ["-c", blockOf("python")], options);
    expect(await server.context.db.selectFrom("jobs").select("job_name").orderBy("job_name").execute()).toEqual([
      { job_name: "From CSV" },
      { job_name: "From rows" },
    ]);
  });
});
