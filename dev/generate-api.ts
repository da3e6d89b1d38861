/**
 * npm run api: writes the response schemas and the typed client, which follow from the API's types. With --check, fails
 * if a file is stale instead.
 */
import { readFile, writeFile } from "node:fs/promises";
import { execa } from "execa";
import { describeApi, usedTypes } from "#server/functions/openapi/describe-api.ts";
import { describeTypes } from "./api/describe-types.ts";
import { renderClient } from "./api/render-client.ts";

const types = describeTypes(usedTypes(), "src/contract");
const files = {
  "src/server/functions/openapi/types.json": await format("types.json", JSON.stringify(types)),
  "clients/typescript/api.ts": await format("api.ts", renderClient(describeApi(types))),
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
