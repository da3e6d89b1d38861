import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lockDataDir } from "#database/embedded/lock-data-dir.ts";
import { openDatabase } from "#database/open-database.ts";
import { isPassword } from "#operations/accounts/password.ts";
import { copyDatabase } from "#tests/support/servers/databases/database.ts";

const LAUNCHER = path.resolve(import.meta.dirname, "../../bin/clipmill.js");
/** Each run starts a full process: seconds on a busy machine. */
const TIMEOUT_MS = 300_000;
const EMAIL = "ada@clipmill.local";

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), "clipmill-users-"));
  await copyDatabase(dataDir);
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function run(args: string[], input = ""): Promise<{ code: number | null; said: string; complained: string }> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir };
  const child = spawn(process.execPath, [LAUNCHER, "user", ...args], { env });
  let said = "";
  let complained = "";
  child.stdout.on("data", (part: Buffer) => (said += part.toString()));
  child.stderr.on("data", (part: Buffer) => (complained += part.toString()));
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, said, complained };
}

async function hasPassword(password: string): Promise<boolean> {
  const database = await openDatabase({ dataDir });
  const account = await database.db
    .selectFrom("accounts")
    .select("password_hash")
    .where("email", "=", EMAIL)
    .executeTakeFirstOrThrow();
  await database.close();
  return isPassword(password, account.password_hash);
}

async function addToken(): Promise<void> {
  const database = await openDatabase({ dataDir });
  await sql`insert into api_tokens (account_id, name, scopes, digest, last4)
    select id, 'Nightly', '{sets}', 'digest', 'abcd' from accounts where email = ${EMAIL}`.execute(database.db);
  await database.close();
}

async function readAudit(): Promise<unknown[]> {
  const database = await openDatabase({ dataDir });
  const entries = database.db.selectFrom("audit_entries").select(["email", "action", "subject"]).orderBy("id");
  const rows = await entries.execute();
  await database.close();
  return rows;
}

// spec 1.1
it(
  "adds, lists, disables and enables accounts, prints links and resets passwords, without printing a piped one",
  { timeout: TIMEOUT_MS },
  async () => {
    const added = await run(["add", EMAIL], "a piped password\nand a second line\n");
    expect(added).toEqual({ code: 0, said: `${EMAIL} can sign in now.\n`, complained: "" });
    expect(await hasPassword("a piped password")).toBe(true);

    expect((await run(["disable", EMAIL])).code).toBe(0);
    expect((await run(["list"])).said).toBe(`${EMAIL}  disabled, password only, never signed in\n`);
    expect((await run(["enable", EMAIL])).code).toBe(0);
    expect((await run(["list"])).said).toBe(`${EMAIL}  enabled, password only, never signed in\n`);

    expect((await run(["sign-in-link", EMAIL])).said).toMatch(
      /^http:\/\/localhost:8080\/auth\/v1\/verify\?token=[\w-]{43}&type=magiclink\n$/,
    );
    await addToken();
    const reset = await run(["reset-password", EMAIL, "--generate", "--remove-second-step"]);
    expect(reset.said).toContain(
      `\nStill valid: 1 API token. To revoke, sign in as ${EMAIL} and open Settings → Automation → API Tokens.\n`,
    );
    const password = /^The password is (\S+)$/m.exec(reset.said)![1]!;
    expect(await hasPassword(password)).toBe(true);

    const left = ["account.add", "account.disable", "account.enable", "account.sign-in-link", "account.reset-password"];
    expect(await readAudit()).toEqual(left.map((action) => ({ email: "terminal", action, subject: EMAIL })));
  },
);

it("works while Clipmill runs on the data directory", { timeout: TIMEOUT_MS }, async () => {
  const running = await openDatabase({ dataDir });
  try {
    expect((await run(["add", "later@clipmill.local", "--generate"])).code).toBe(0);
    const emails = await running.db.selectFrom("accounts").select("email").orderBy("email").execute();
    expect(emails.map(({ email }) => email)).toContain("later@clipmill.local");
  } finally {
    await running.close();
  }
});

it("prints errors in one sentence", { timeout: TIMEOUT_MS }, async () => {
  expect(await run(["add", "short@clipmill.local"], "short\n")).toEqual({
    code: 1,
    said: "",
    complained: "Passwords need at least 8 characters.\n",
  });
  expect((await run(["disable", "nobody@clipmill.local"])).complained).toBe(
    "There is no account for nobody@clipmill.local.\n",
  );
  const release = lockDataDir(dataDir);
  const { code, complained } = await run(["list"]);
  release();
  expect(code).toBe(1);
  expect(complained).toMatch(
    /^Clipmill is running on .+ Stop Clipmill, run this command, then start Clipmill again\.\n$/,
  );
});
