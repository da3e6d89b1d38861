import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "#database/open-database.ts";
import { runProgramToItsEnd, startProgram } from "#tests/support/servers/clipmill-process.ts";
import { openDatabaseLine } from "#tests/support/servers/databases/database-line.ts";
import { type Fleet, openInstalledFleet } from "#tests/support/servers/fleet.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const LAUNCHER = path.resolve(import.meta.dirname, "../../bin/clipmill.js");
/** Starting whole programs is slow on a busy machine. */
const LONG_TIMEOUT = { timeout: 180_000 };

let fleet: Fleet;

beforeAll(async () => {
  fleet = await openInstalledFleet();
}, 60_000);
afterAll(() => fleet?.close());

/** Returns the one-sentence error. */
async function errorOf(...given: Parameters<typeof runProgramToItsEnd>): Promise<string> {
  const { code, stderr } = await runProgramToItsEnd(...given);
  expect({ code, lines: stderr.trim().split("\n") }).toEqual({ code: 1, lines: [expect.any(String)] });
  return stderr.trim();
}

async function starts(name: string, environment: Record<string, string>): Promise<void> {
  const program = await startProgram("worker", path.join(fleet.folder, name), environment);
  expect(await program.stop()).toBe(0);
}

describe("without a PostgreSQL server", () => {
  it.each(["server", "worker"] as const)(
    "a %s does not start, with a one-sentence error",
    LONG_TIMEOUT,
    async (kind) => {
      const folder = await makeScratchFolder();
      expect(await errorOf(kind, path.join(folder, "data"))).toBe(
        `A separate ${kind} cannot use the embedded database: run \`clipmill start\`, or set DATABASE_URL to a PostgreSQL server.`,
      );
      expect(existsSync(path.join(folder, "data"))).toBe(false);
    },
  );
});

it("rejects an invalid number of concurrent videos", LONG_TIMEOUT, async () => {
  const folder = path.join(fleet.folder, "faulty");
  expect(await errorOf("worker", folder, fleet.environment, "--concurrency", "0")).toMatch(
    /^The configuration is invalid: WORKER_CONCURRENCY: /,
  );
});

it("lets one server and one worker share a data directory, and rejects a second of either", LONG_TIMEOUT, async () => {
  const dataDir = path.join(fleet.folder, "shared");
  const server = await fleet.start("server", { dataDir });
  const worker = await fleet.start("worker", { dataDir });
  const secondOf = (kind: "server" | "worker" | "start") => errorOf(kind, dataDir, fleet.environment);
  const sentence = (kind: string) =>
    `Another Clipmill ${kind} is already running on ${dataDir}; stop it, or set DATA_DIR to another folder.`;
  expect(await secondOf("server")).toBe(sentence("server"));
  expect(await secondOf("worker")).toBe(sentence("worker"));
  expect(await server.stop()).toBe(0);
  // `start` runs a server and a worker in one process.
  expect(await secondOf("start")).toBe(sentence("worker"));
  expect(await worker.stop()).toBe(0);
});

it("ends a worker with --until-idle once it finds no work", LONG_TIMEOUT, async () => {
  const worker = await fleet.start("worker", { words: ["--until-idle"] });
  expect(await worker.ended()).toBe(0);
});

it(
  "exits immediately on a second signal if the first one waits for an unresponsive database",
  LONG_TIMEOUT,
  async () => {
    const line = await openDatabaseLine(fleet.databaseUrl);
    const worker = await fleet.start("worker", { databaseUrl: line.url });
    line.set("silent");
    // Signals within the first second count as an echo of the same Ctrl-C.
    const again = setInterval(() => process.kill(worker.pid, "SIGTERM"), 200);
    try {
      expect(await worker.ended()).toBe(143);
    } finally {
      clearInterval(again);
      await line.close();
    }
  },
);

it.each([
  ["server", 0],
  ["server", 20],
  ["worker", 0],
  ["worker", 40],
  ["worker", 58],
] as const)(
  "a %s that starts while PostgreSQL restarts waits, after %s packets",
  LONG_TIMEOUT,
  async (kind, packets) => {
    const line = await openDatabaseLine(fleet.databaseUrl);
    onTestFinished(() => line.close());
    const restarted = line.restartAfter(packets);
    const program = await fleet.start(kind, { databaseUrl: line.url });
    await restarted;
    expect(program.output().stderr.split("waiting for the database")).toHaveLength(2);
    const database = await openDatabase({ databaseUrl: fleet.databaseUrl, dataDir: null });
    const workers = await database.db.selectFrom("workers").select("name").where("pid", "=", program.pid).execute();
    await database.close();
    expect(workers).toHaveLength(kind === "worker" ? 1 : 0);
    expect(await program.stop()).toBe(0);
  },
);

describe("the secret of the database", () => {
  const other = { APP_SECRET: "another secret for tests, long enough" };
  const ANOTHER =
    "This database uses a different APP_SECRET. Set the one that the other servers and workers use. To change the secret, set the old one as PREVIOUS_APP_SECRET. If it is lost, run `clipmill secrets rotate --lost`.";
  const NONE =
    "This database uses a secret that is not in this data folder. Set APP_SECRET to the one that the other servers and workers use. If it is lost, set a new one and run `clipmill secrets rotate --lost`.";

  it("rejects a different or missing secret and does not generate one", LONG_TIMEOUT, async () => {
    await starts("first", fleet.environment);
    const folder = path.join(fleet.folder, "other");
    expect(await errorOf("worker", folder, { ...fleet.environment, ...other })).toBe(ANOTHER);
    expect(await errorOf("server", folder, { ...fleet.environment, APP_SECRET: "" })).toBe(NONE);
    expect(existsSync(path.join(folder, "app-secret"))).toBe(false);
    const database = await openDatabase({ databaseUrl: fleet.databaseUrl, dataDir: null });
    const settings = await database.db.selectFrom("settings").select("value").execute();
    await database.close();
    expect(JSON.stringify(settings)).not.toContain(fleet.environment["APP_SECRET"]);
  });

  it("changes when the old one is set too, and the old one is rejected afterward", LONG_TIMEOUT, async () => {
    const both = { ...fleet.environment, ...other, PREVIOUS_APP_SECRET: fleet.environment["APP_SECRET"]! };
    await starts("first", both);
    await starts("second", { ...fleet.environment, ...other });
    expect(await errorOf("worker", path.join(fleet.folder, "first"), fleet.environment)).toBe(ANOTHER);
  });

  it("can be replaced when lost", LONG_TIMEOUT, async () => {
    const lost = { ...fleet.environment, APP_SECRET: "a third secret for tests, long enough" };
    const folder = path.join(fleet.folder, "lost");
    expect(await errorOf("worker", folder, lost)).toBe(ANOTHER);
    const rotate = (...words: string[]) =>
      promisify(execFile)(process.execPath, [LAUNCHER, "secrets", "rotate", ...words], {
        env: { PATH: process.env["PATH"], DATA_DIR: folder, ...lost },
      });
    await expect(rotate()).rejects.toMatchObject({ code: 1, stderr: `${ANOTHER}\n` });
    const { stdout } = await rotate("--lost");
    expect(stdout).toContain("Removed: 0 keys, 0 second steps, 0 connection secrets and 0 webhook secrets.");
    await starts("lost", lost);
  });
});
