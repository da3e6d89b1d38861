/** Measures 30 of 1,000 rendered rows. Only in `npm run test:media`. */
import { expect, it } from "vitest";
import { readManifest } from "#operations/downloads/manifest/open-manifest.ts";
import {
  listedOf,
  makeRowTable,
  measureRow,
  namesOf,
  ROW_TABLE_SETTINGS,
  wantedOf,
} from "#tests/support/media/row-table.ts";
import { isFullRun } from "#tests/support/media/sample.ts";
import { findFiles } from "#tests/support/jobs/find-files.ts";
import { openTestWorker } from "#tests/support/servers/worker.ts";

const ROWS = 1_000;
const SAMPLED = 30;
const LIMIT_MS = 30 * 60_000;

it(
  "makes every file of 1,000 rows as its row asks, under a name of its own",
  { timeout: LIMIT_MS },
  async (context) => {
    context.skip(!isFullRun, "1,000 rows take minutes: npm run test:media makes them.");
    await using worker = await openTestWorker();
    await worker.start(2);
    const rows = await makeRowTable(worker, ROWS);
    const job = await worker.finish(await worker.create({ input_videos: [], rows, ...ROW_TABLE_SETTINGS }), LIMIT_MS);
    expect(job).toMatchObject({ status: "Completed", error_message: null });
    const { outputs } = await readManifest(worker.context, job.id);
    const files = await findFiles(worker, job.id);
    expect(files).toHaveLength(ROWS);
    expect(new Set(outputs.map(({ output }) => output.toLowerCase())).size).toBe(ROWS);
    for (const [i, { output }] of outputs.entries()) expect(namesOf(i, ROWS)).toContain(output);
    // Steps of 31 cover every color, part, format and kind of music.
    for (let i = 0; i < SAMPLED * 31; i += 31) {
      expect([i, await measureRow(files[i]!)]).toEqual([i, wantedOf(i)]);
      expect(outputs[i]).toMatchObject(await listedOf(i, files[i]!));
    }
  },
);
