/** npm run test:newest-client: runs the server tests, which use the real client, with its newest release. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { execa } from "execa";

const ROOT = path.resolve(import.meta.dirname, "..");
const CLIENT = "@supabase/supabase-js";

const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-newest-client-"));
try {
  await execa("npm", ["install", "--prefix", folder, `${CLIENT}@latest`], { cwd: folder, stdio: "inherit" });
  const manifest = path.join(folder, "node_modules", CLIENT, "package.json");
  const { version } = JSON.parse(await readFile(manifest, "utf8")) as { version: string };
  console.log(`Testing with ${CLIENT} ${version}.`);
  const tests = await execa(
    process.execPath,
    [path.join(ROOT, "node_modules/vitest/vitest.mjs"), "run", "src/server"],
    {
      cwd: ROOT,
      stdio: "inherit",
      reject: false,
      env: { NEWEST_CLIENT: createRequire(manifest).resolve(CLIENT) },
    },
  );
  process.exitCode = tests.exitCode ?? 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
