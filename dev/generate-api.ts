/**
 * npm run api: writes the typed client and the tables of docs/API.md, which follow from the calls. With --check, fails
 * if one is stale instead.
 */
import { readFile, writeFile } from "node:fs/promises";
import { execa } from "execa";
import { describeApi } from "#server/functions/openapi/describe-api.ts";
import { renderCalls } from "./api/render-calls.ts";
import { renderClient } from "./api/render-client.ts";

const document = describeApi();
const files = {
  "clients/typescript/api.ts": await format("api.ts", renderClient(document)),
  "docs/API.md": await format("API.md", renderCalls(await readFile("docs/API.md", "utf8"), document)),
};

for (const [file, text] of Object.entries(files)) {
  const current = await readFile(file, "utf8").catch(() => "");
  if (current === text) continue;
  if (process.argv.includes("--check")) {
    console.log(`${file} is stale. Run: npm run api`);
    process.exitCode = 1;
  } else {
    await writeFile(file, text);
    console.log(`wrote ${file}`);
  }
}

async function format(name: string, text: string): Promise<string> {
  const { stdout } = await execa("oxfmt", ["--stdin-filepath", name], { input: text, preferLocal: true });
  return `${stdout.trimEnd()}\n`;
}
