import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Kysely, sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import type { Tables } from "#database/tables.ts";
import { openTestDatabase } from "#tests/support/servers/databases/database.ts";
import { startTestRedirector, TOKEN } from "#tests/support/twins/redirector.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { daysAgo } from "../read-cloak-state.ts";
import { openQueue } from "#queue/open-queue.ts";
import { collectReport } from "./collect-report.ts";

const scratch = await makeScratchFolder();

async function addRoute(db: Kysely<Tables>): Promise<string> {
  const domain = await db.insertInto("domains").values({ name: "shop.test" }).returning("id").executeTakeFirstOrThrow();
  const route = { domain_id: domain.id, slug: "a", primary_url: "https://a.test/" };
  return (await db.insertInto("routes").values(route).returning("id").executeTakeFirstOrThrow()).id;
}

function readCounts(db: Kysely<Tables>) {
  const day = sql<string>`day::text`.as("day");
  return db.selectFrom("route_counts").select([day, "redirects"]).orderBy("route_counts.day", "desc").execute();
}

/** `clicks` are by days ago. */
async function startCounted(source: string, routeId: string, clicks: Record<number, number>) {
  const folder = path.join(scratch, source);
  await mkdir(folder);
  const days = Object.entries(clicks).map(([ago, count]) => [daysAgo(Number(ago)), { [routeId]: count }]);
  await writeFile(path.join(folder, "counts.json"), JSON.stringify({ source, days: Object.fromEntries(days) }));
  const redirector = await startTestRedirector(folder);
  onTestFinished(() => redirector.close());
  return { syncUrl: redirector.publishUrl, token: TOKEN, builtInUrl: null };
}

it("collects each redirector's days once, in any order and however often", async () => {
  const database = await openTestDatabase();
  onTestFinished(() => database.close());
  const { db } = database;
  const queue = await openQueue(database, () => {});
  onTestFinished(() => queue.stop());
  const id = await addRoute(db);
  const first = await startCounted("first", id, { 0: 1, 3: 10 });
  // While the first one served, this one kept days that nobody had collected.
  const second = await startCounted("second", id, { 1: 100, 20: 1_000 });
  for (const settings of [first, second, first, second, second]) {
    await Promise.all([1, 2, 3].map(() => collectReport({ db, queue }, settings)));
  }
  expect(await readCounts(db)).toEqual([
    { day: daysAgo(0), redirects: 1 },
    { day: daysAgo(1), redirects: 100 },
    { day: daysAgo(3), redirects: 10 },
    { day: daysAgo(20), redirects: 1_000 },
  ]);
});

it("keeps counts for 400 days", async () => {
  const database = await openTestDatabase();
  onTestFinished(() => database.close());
  const { db } = database;
  const queue = await openQueue(database, () => {});
  onTestFinished(() => queue.stop());
  const route_id = await addRoute(db);
  const days = [399, 401].map((ago) => ({ route_id, day: daysAgo(ago), source: "old", redirects: 1 }));
  await db.insertInto("route_counts").values(days).execute();
  await collectReport({ db, queue }, await startCounted("idle", route_id, {}));
  expect(await readCounts(db)).toEqual([{ day: daysAgo(399), redirects: 1 }]);
});
