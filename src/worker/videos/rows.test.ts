import { afterAll, beforeAll, expect, it } from "vitest";
import type { Manifest } from "#contract/manifest/manifest.ts";
import { readManifest } from "#operations/downloads/manifest/open-manifest.ts";
import {
  listedOf,
  makeRowTable,
  measureRow,
  namesOf,
  ROW_TABLE_SETTINGS,
  wantedOf,
} from "#tests/support/media/row-table.ts";
import { findFiles } from "#tests/support/jobs/find-files.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

/** Every caption color, part and format, and two names twice. `npm run test:media` renders more. */
const ROWS = 22;

let worker: TestWorker;
let manifest: Manifest;
let files: string[];

beforeAll(async () => {
  worker = await openTestWorker();
  await worker.start(2);
});
afterAll(() => worker[Symbol.asyncDispose]());

it("makes one file per row", async () => {
  const rows = await makeRowTable(worker, ROWS);
  const job = await worker.finish(await worker.create({ input_videos: [], rows, ...ROW_TABLE_SETTINGS }));
  expect(job.status).toBe("Completed");
  manifest = await readManifest(worker.context, job.id);
  files = await findFiles(worker, job.id);
  expect(files).toHaveLength(ROWS);
});

it("shows each row's own caption, part, format and music", async () => {
  for (const [i, file] of files.entries()) expect([i, await measureRow(file)]).toEqual([i, wantedOf(i)]);
});

it("lists in the manifest what each file is, as measured", async () => {
  for (const [i, file] of files.entries()) expect(manifest.outputs[i]).toMatchObject(await listedOf(i, file));
});

it("names each file by the pattern, and those with the same name also by their place", () => {
  const names = manifest.outputs.map(({ output }) => output);
  expect(new Set(names).size).toBe(ROWS);
  for (const [i, name] of names.entries()) expect(namesOf(i, ROWS)).toContain(name);
});
