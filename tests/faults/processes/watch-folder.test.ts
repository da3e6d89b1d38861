import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { Client } from "pg";
import { expect, vi } from "vitest";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { signedInClient } from "#tests/support/servers/client.ts";
import { openInstalledFleet } from "#tests/support/servers/fleet.ts";

const FILES = 200;
const KILLS = 20;
const KILLED = [["server"], ["worker"], ["server", "worker"]] as const;
const MINUTES_UNTIL_DONE = 30;

const scratch = await makeScratchFolder();

testFault(
  {
    id: "watch-folder",
    fault: `SIGKILL server and worker ${KILLS} times while ${FILES} files are dropped into a watch folder (PostgreSQL)`,
    expected: "each file in exactly one job; all Completed",
    // The short form is src/operations/watch-folders/exactly-once.test.ts, which kills a check at every query.
    rounds: { short: 0, full: 2 },
    secondsPerRound: 60 * (MINUTES_UNTIL_DONE + 15),
  },
  async (round) => dropWhileKilled(round % 2 === 0 ? "file" : "batch"),
);

async function dropWhileKilled(grouping: "file" | "batch"): Promise<Record<string, number>> {
  await using stack = new AsyncDisposableStack();
  const fleet = await openInstalledFleet();
  stack.defer(() => fleet.close());
  const database = new Client(fleet.databaseUrl);
  await database.connect();
  stack.defer(() => database.end());
  const programs = { server: await fleet.start("server"), worker: await fleet.start("worker") };
  await database.query("delete from library_files where not is_sample");
  const incoming = path.join(programs.server.dataDir, "watch/incoming");
  await addWatchFolder(programs.server.url, grouping);
  const drop = await openDropper(incoming);

  let killed = 0;
  for (let at = 0; at < FILES; at += 1) {
    await drop(at);
    if (at % (FILES / KILLS) !== FILES / KILLS - 1) continue;
    const names = KILLED[killed % KILLED.length]!;
    // At a random moment of a check, which takes about this long.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 6_000));
    await Promise.all(names.map((name) => programs[name].kill()));
    killed += 1;
    for (const name of names) programs[name] = await fleet.start(name, { dataDir: programs[name].dataDir });
  }
  const started = performance.now();
  const countOf = async (query: string): Promise<number> => Number((await database.query(query)).rows[0].count);
  const isDone = async (): Promise<boolean> => {
    const waiting = await countOf("select count(*) from watch_files where state = 'seen'");
    const taken = await countOf("select count(*) from watch_files where state = 'taken'");
    const unfinished = await countOf("select count(*) from jobs where status <> 'Completed'");
    return waiting === 0 && taken >= FILES && unfinished === 0;
  };
  await vi.waitUntil(isDone, { timeout: MINUTES_UNTIL_DONE * 60_000, interval: 2_000 }).catch(() => {});
  const states = await database.query("select state, reason, count(*)::int from watch_files group by 1, 2");
  expect(states.rows).toEqual([{ state: "taken", reason: null, count: FILES }]);
  // By file name in the library, to detect a video in two jobs or a file that became two videos.
  const { rows } = await database.query<{ name: string; jobs: number }>(
    `select library_files.name, count(*)::int as jobs from jobs, unnest(input_videos) as link
      join library_files on link like '%/' || library_files.id || '/%' or link like '%/' || library_files.id group by 1`,
  );
  expect(rows.toSorted((a, b) => a.name.localeCompare(b.name, "en"))).toEqual(
    Array.from({ length: FILES }, (_, at) => ({ name: nameOf(at), jobs: 1 })),
  );
  expect(await countOf("select count(*) from jobs where status <> 'Completed'"), "jobs that are not Completed").toBe(0);
  return {
    kills: killed,
    jobs: await countOf("select count(*) from jobs"),
    "seconds until all were Completed": (performance.now() - started) / 1_000,
  };
}

async function addWatchFolder(url: string, grouping: string): Promise<void> {
  const client = await signedInClient(url);
  const preset = { name: "Drop", settings: { variants_per_video: 1 } };
  const { data } = await client.from("presets").insert(preset).select("id").single<{ id: string }>().throwOnError();
  const fields = { name: "Drop", kind: "local", place: "incoming", preset_id: data.id, grouping, existing: "take" };
  const body = { action: "create", ...fields, interval_seconds: 10, settle_seconds: 5 };
  const { error } = await client.functions.invoke("watch-folders", { body });
  expect(error).toBeNull();
}

/** Writes each file in two parts, like a slow copy. All have the same picture and different bytes. */
async function openDropper(folder: string): Promise<(at: number) => Promise<void>> {
  const clip = path.join(scratch, "clip.mp4");
  await makeClip(clip, { width: 108, height: 192, seconds: 0.5 });
  const bytes = await readFile(clip);
  await mkdir(folder, { recursive: true });
  return async (at) => {
    const file = path.join(folder, nameOf(at));
    await writeFile(file, bytes.subarray(0, bytes.length / 2));
    await writeFile(file, Buffer.concat([bytes, freeBox(at)]));
  };
}

/** An MP4 box that players skip. */
function freeBox(at: number): Buffer {
  const box = Buffer.alloc(12);
  box.writeUInt32BE(box.length, 0);
  box.write("free", 4, "latin1");
  box.writeUInt32BE(at, 8);
  return box;
}

function nameOf(at: number): string {
  return `${String(at).padStart(3, "0")}.mp4`;
}
