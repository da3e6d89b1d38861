/**
 * npm run test:servers: runs the tests on PostgreSQL and S3, deliveries to OpenSSH if sshd is installed, and the n8n node,
 * the Helm chart and the workflows with n8n, helm and actionlint, which it downloads. Arguments are files or folders;
 * .e2e.ts files run in the browser. TEST_ON=database or TEST_ON=storage replaces only that one.
 */
import { readdirSync } from "node:fs";
import { execa } from "execa";
import { installHelm } from "./tools/install-helm.ts";
import { installActionlint } from "./tools/install-actionlint.ts";
import { installN8n, installN8nLinter } from "./tools/install-n8n.ts";
import { startOpenSsh } from "#tests/support/servers/openssh.ts";
import { startPostgres } from "#tests/support/servers/databases/postgres.ts";
import { startS3Server } from "#tests/support/twins/s3-server.ts";

/** These start both kinds of database and storage themselves. */
const OWN_SERVERS = new Set(["backup", "faults", "fleet", "redirector"]);
const USUAL = [
  "src/",
  ...readdirSync("tests")
    .filter((name) => name !== "e2e" && !OWN_SERVERS.has(name))
    .map((name) => `tests/${name}`),
];

/** Too large for the project's packages. */
const TOOLS = {
  TEST_N8N: { tests: "tests/n8n/workflows.test.ts", install: installN8n },
  TEST_N8N_LINTER: { tests: "tests/n8n/workflows.test.ts", install: installN8nLinter },
  TEST_HELM: { tests: "tests/kubernetes.test.ts", install: installHelm },
  TEST_ACTIONLINT: { tests: "tests/release.test.ts", install: installActionlint },
};

const files = process.argv.slice(2);
const isForBrowser = files.length > 0 && files.every((file) => file.endsWith(".e2e.ts"));
const only = process.env["TEST_ON"];

await using stack = new AsyncDisposableStack();
const env: Record<string, string> = {};
if (only !== "storage") {
  const postgres = await startPostgres(["-c", "max_connections=300"]);
  stack.defer(() => postgres.stop());
  env["TEST_DATABASE"] = postgres.urlOf("postgres");
}
if (only !== "database") {
  const bucket = await startS3Server();
  stack.defer(() => bucket.close());
  const { bucket: name, endpoint } = bucket.location;
  env["TEST_STORAGE"] = `s3://${name}?endpoint=${encodeURIComponent(endpoint!)}`;
}
const sshd = isForBrowser || only !== undefined ? null : await startOpenSsh();
if (sshd) {
  stack.defer(() => sshd.stop());
  env["TEST_SSHD"] = JSON.stringify(sshd);
} else if (!isForBrowser && only === undefined) {
  console.log("Deliveries to OpenSSH are not tested: sshd is not installed (Debian: openssh-server).");
}
for (const [variable, { tests, install }] of Object.entries(TOOLS)) {
  const isWanted = files.length === 0 ? only === undefined : files.some((file) => tests.startsWith(file));
  if (!isWanted) continue;
  try {
    env[variable] = await install();
  } catch (error) {
    console.log(`Parts of ${tests} are skipped: ${(error as Error).message}`);
  }
}
const args = isForBrowser ? ["playwright", "test", ...files] : ["vitest", "run", ...(files.length > 0 ? files : USUAL)];
const [command, ...rest] = args;
const tests = await execa(command!, rest, { stdio: "inherit", reject: false, preferLocal: true, env });
process.exitCode = tests.exitCode ?? 1;
