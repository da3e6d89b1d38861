/**
 * npm run api: writes what follows from the API's types and schemas. With --check, fails if a file is stale instead.
 */
import { readFile, writeFile } from "node:fs/promises";
import { usedTypes } from "#server/functions/openapi/describe-api.ts";
import { describeTypes } from "./api/describe-types.ts";

const types = describeTypes(usedTypes(), "src/contract");
const files = { "src/server/functions/openapi/types.json": `${JSON.stringify(types, null, 1)}\n` };

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
