import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Kysely, KyselyPlugin } from "kysely";
import { afterEach, expect, it } from "vitest";
import type { Tables } from "#database/tables.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { addTestFolder, checkDue, openWatchContext, passTime } from "#tests/support/watch-folder.ts";
import { changeWatchFolder } from "./change-watch-folder.ts";
import type { WatchContext } from "./watch-context.ts";

const scratch = await makeScratchFolder();
let stack = new AsyncDisposableStack();

afterEach(async () => {
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
});

async function dropFiles(folder: string, count: number, from = 0): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (let at = from; at < from + count; at += 1) await writeFile(path.join(folder, `${at}.mp4`), `video ${at}`);
}

/** Returns the names of the files in all jobs, in order. */
async function filesInJobs({ db }: WatchContext): Promise<string[]> {
  const jobs = await db.selectFrom("jobs").select("input_videos").execute();
  const files = await db.selectFrom("library_files").select(["id", "name"]).execute();
  const nameOf = (link: string) => files.find(({ id }) => link.endsWith(id))!.name;
  return jobs.flatMap((job) => job.input_videos.map(nameOf)).toSorted();
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${at}.mp4`).toSorted();
}

class Killed extends Error {}

/** Returns the database as seen by a process that is killed after some queries. */
function killAfter(db: Kysely<Tables>, queries: number): Kysely<Tables> {
  let left = queries;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      left -= 1;
      if (left < 0) throw new Killed();
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  return db.withPlugin(plugin);
}

it.each([
  ["batch", 2],
  ["file", 5],
])("makes each file part of one job, wherever a check is killed (%s)", async (grouping, step) => {
  const folder = path.join(scratch, grouping);
  const context = await openWatchContext(stack, folder);
  await addTestFolder(context, { grouping });
  let dropped = 0;
  let kills = 0;
  for (let queries = 1; ; queries += step) {
    await dropFiles(path.join(folder, "watch/incoming"), 2, dropped);
    dropped += 2;
    await passTime(context);
    await checkDue(context);
    await passTime(context);
    const killed = await checkDue({ ...context, db: killAfter(context.db, queries) }).catch((error: unknown) => error);
    if (!killed) break;
    expect(killed).toBeInstanceOf(Killed);
    kills += 1;
  }
  expect(kills).toBeGreaterThan(5);
  await passTime(context);
  await checkDue(context);
  expect(await filesInJobs(context)).toEqual(names(dropped));
});

it("makes each file part of one job while three servers check, and the folder is changed, at the same time", async () => {
  const folder = path.join(scratch, "servers");
  const context = await openWatchContext(stack, folder, { openDatabase: openPostgresDatabase });
  const { id, preset_id } = await addTestFolder(context, { grouping: "file", settle_seconds: 5 });
  let version = 1;
  const change = async () => {
    await changeWatchFolder(context, { id, name: "Drop", preset_id, version });
    version += 1;
  };
  const newServer = () => ({ ...context, uploads: { ...context.uploads, underWay: new Set<never>() } });
  const servers = [newServer(), newServer(), newServer()];
  for (let round = 0; round < 6; round += 1) {
    await dropFiles(path.join(folder, "watch/incoming"), 10, round * 10);
    // Ends all claims, so that the servers read the folder together.
    const race = servers.map(async (server) => {
      await passTime(context);
      await checkDue(server);
    });
    for (let count = 0; count < 10; count += 1) await change();
    await Promise.all(race);
  }
  await passTime(context);
  await checkDue(context);
  await passTime(context);
  await checkDue(context);
  expect(await filesInJobs(context)).toEqual(names(60));
}, 60_000);
