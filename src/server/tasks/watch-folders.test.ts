import { mkdir } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { pino } from "pino";
import { afterEach, expect, it } from "vitest";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { addTestFolder, openWatchContext, passTime } from "#tests/support/watch-folder.ts";
import {
  checkWatchFolderNow,
  pauseWatchFolder,
  resumeWatchFolder,
} from "#operations/watch-folders/change-watch-folder.ts";
import type { WatchContext } from "#operations/watch-folders/watch-context.ts";
import { startWatching } from "./watch-folders.ts";

const scratch = await makeScratchFolder();
const log = pino({ level: "silent" });
let stack = new AsyncDisposableStack();

afterEach(async () => {
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
});

async function watch(context: WatchContext): Promise<void> {
  const watching = await startWatching({ ...context, log });
  stack.defer(() => watching.stop());
}

async function rowOf({ db }: WatchContext, id: string) {
  return await db
    .selectFrom("watch_folders")
    .select(["last_check_at", "last_fault"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

it("checks local folders on the servers that have them", async () => {
  const folder = path.join(scratch, "servers");
  const context = await openWatchContext(stack, folder, { named: new Map([["here", path.join(folder, "here")]]) });
  const elsewhere = path.join(folder, "elsewhere");
  await mkdir(elsewhere);
  await mkdir(path.join(folder, "here"));
  const there = { ...context, localRoots: { managed: "/none", named: new Map([["there", elsewhere]]) } };
  const onlyHere = await addTestFolder(context, { name: "Here", place: "here" });
  const onlyThere = await addTestFolder(there, { name: "There", place: "there" });
  await watch(context);
  await expect.poll(async () => (await rowOf(context, onlyHere.id)).last_check_at).not.toBeNull();
  expect((await rowOf(context, onlyThere.id)).last_check_at).toBeNull();
  await watch(there);
  await expect
    .poll(() => rowOf(context, onlyThere.id))
    .toEqual({ last_check_at: expect.any(String), last_fault: null });
});

it("checks again after the interval, on request and after a pause, but not during one", async () => {
  const context = await openWatchContext(stack, path.join(scratch, "again"));
  const { id } = await addTestFolder(context);
  await watch(context);
  const lastCheck = async () => (await rowOf(context, id)).last_check_at;
  const awaitNext = async (last: string | null) => {
    await expect.poll(lastCheck).not.toBe(last);
    return await lastCheck();
  };
  let last = await awaitNext(null);
  await checkWatchFolderNow(context, { id });
  last = await awaitNext(last);
  await passTime(context);
  last = await awaitNext(last);
  await pauseWatchFolder(context, { id });
  await passTime(context);
  await expect
    .poll(async () => (await context.queue.measure()).find(({ name }) => name === "folders"))
    .toMatchObject({ held: 1, waiting: 0, active: 0 });
  expect(await lastCheck()).toBe(last);
  await resumeWatchFolder(context, { id });
  await awaitNext(last);
});

it("checks a folder of an earlier version, which had no task", async () => {
  const context = await openWatchContext(stack, path.join(scratch, "earlier"));
  const { id } = await addTestFolder(context);
  await context.db.transaction().execute(async (trx) => void (await context.queue.folders.cancelWaiting(trx, [id])));
  await context.db.transaction().execute(async (trx) => void (await context.queue.folders.forget(trx, [id])));
  await watch(context);
  await expect.poll(async () => (await rowOf(context, id)).last_check_at).not.toBeNull();
});

it("waits for the interval after an unexpected error, and goes on after a stop", async () => {
  const context = await openWatchContext(stack, path.join(scratch, "broken"));
  const { id } = await addTestFolder(context);
  const names = { ...context.localRoots, named: new Map([["incoming", "\0"]]) };
  const watching = await startWatching({ ...context, localRoots: names, log });
  await expect.poll(async () => (await rowOf(context, id)).last_fault).toContain("See the server's log.");
  const task = () =>
    sql<{ state: string; waits: boolean }>`select state::text, start_after > now() + interval '30 s' as waits
    from pgboss.job where name = 'folders'`.execute(context.db);
  await expect.poll(async () => (await task()).rows).toEqual([{ state: "created", waits: true }]);
  await watching.stop();
  await watch(context);
  await passTime(context);
  await expect.poll(() => rowOf(context, id)).toMatchObject({ last_fault: null });
});
