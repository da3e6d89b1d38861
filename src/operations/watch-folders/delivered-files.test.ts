import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { type CompiledQuery, sql } from "kysely";
import { expect, it } from "vitest";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { addTestFolder, allFiles, openWatchContext, settleFiles, statesOf } from "#tests/support/watch-folder.ts";
import { isDelivered } from "./check/compare-listing.ts";
import { runFileAgain } from "./run-file-again.ts";
import type { WatchContext } from "./watch-context.ts";

const scratch = await makeScratchFolder();

it("makes no job of files that Clipmill delivers into the folder, unless an operator asks for it", async () => {
  await using stack = new AsyncDisposableStack();
  const context = await openWatchContext(stack, scratch);
  const incoming = path.join(scratch, "watch/incoming");
  await mkdir(incoming, { recursive: true });
  const { id } = await addTestFolder(context, { grouping: "file" });
  await writeFile(path.join(incoming, "clip.mp4"), "video clip");
  await settleFiles(context);
  await settleFiles(context);
  expect(await statesOf(context, id)).toEqual({ "clip.mp4": "taken" });

  await deliver(context, "results/clip_variant_1.mp4", "video of Clipmill");
  await writeFile(path.join(incoming, "clip_variant_1.mp4"), "video of Clipmill");
  await writeFile(path.join(incoming, "variant_1.mp4"), "video of Clipmill");
  await settleFiles(context);
  await settleFiles(context);
  expect(await statesOf(context, id)).toEqual({
    "clip.mp4": "taken",
    "clip_variant_1.mp4": "skipped: Clipmill delivered this file. To create a job from it anyway, run it again.",
    "variant_1.mp4": "taken",
  });

  const file = (await allFiles(context, id)).find(({ name }) => name === "clip_variant_1.mp4")!;
  await runFileAgain(context, { file_id: file.id });
  await settleFiles(context);
  await settleFiles(context);
  expect(await statesOf(context, id)).toMatchObject({ "clip_variant_1.mp4": "taken" });
});

it("looks for delivered files with an index", async () => {
  await using stack = new AsyncDisposableStack();
  const { db } = await openWatchContext(stack, scratch);
  await sql`set session_replication_role = replica`.execute(db);
  await sql`insert into delivery_files (delivery_id, name, target_path)
    select gen_random_uuid(), n || '.mp4', 'results/' || n || '.mp4' from generate_series(1, 5000) as n`.execute(db);
  let query: CompiledQuery | null = null;
  const watched = db.withPlugin({
    transformQuery({ node, queryId }) {
      query = db.getExecutor().compileQuery(node, queryId);
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  await isDelivered({ db: watched }, { name: "1.mp4", size_bytes: 1 });
  const { sql: text, ...others } = query!;
  const plan = await db.executeQuery({ ...others, sql: `explain ${text}` });
  expect(JSON.stringify(plan.rows)).toContain("delivery_files_by_delivered_name");
});

/** Records a delivery of the job's only video. */
async function deliver({ db }: WatchContext, targetPath: string, content: string): Promise<void> {
  const video = await db.selectFrom("job_videos").select(["id", "job_id"]).executeTakeFirstOrThrow();
  const { id: output } = await db
    .insertInto("job_outputs")
    .values({
      job_id: video.job_id,
      video_id: video.id,
      variant: 0,
      segment: 0,
      name: "clip_variant_1.mp4",
      status: "Completed",
      size_bytes: Buffer.byteLength(content),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { id: delivery } = await db
    .insertInto("deliveries")
    .values({ job_id: video.job_id, destination_id: null, destination_name: "Results", kind: "folder" })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("delivery_files")
    .values({ delivery_id: delivery, output_id: output, name: "clip_variant_1.mp4", target_path: targetPath })
    .execute();
}
