import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { retryJob } from "#operations/jobs/retry-job.ts";
import { readJobOutputs } from "#operations/jobs/read/read-job.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

const RUNES = {
  code: "letters_missing",
  message: "The caption is drawn without ᚠ ᚢ: no font supports them.",
};
let worker: TestWorker;

beforeAll(async () => {
  worker = await openTestWorker();
  const file = path.join(worker.folder, "clip.mp4");
  await makeClip(file, { width: 90, height: 160, seconds: 0.2, toneHz: null });
  worker.twin.add({ id: "clip", path: file, name: "clip.mp4", mimeType: "video/mp4", behaviour: { kind: "normal" } });
  await worker.start();
});
afterAll(() => worker[Symbol.asyncDispose]());

it("warns about missing glyphs on the affected outputs only, even if outputs share a file", async () => {
  const job = await worker.finish(
    await worker.create({
      input_videos: [worker.twin.links("clip")],
      captions_enabled: true,
      custom_captions: ["go", "go ᚠᚢᚠ", "go\u200B"],
      variants_per_video: 3,
    }),
  );
  const outputs = await readJobOutputs(worker.context, job.id);
  expect(outputs.map(({ caption, warnings }) => [caption, warnings])).toEqual([
    ["go", []],
    ["go ᚠᚢᚠ", [RUNES]],
    ["go\u200B", []],
  ]);
});

it("warns about a watermark's missing glyphs and replaces the warnings of a file that is made again", async () => {
  const { db } = worker.context;
  const mark = {
    code: "letters_missing",
    message: "The watermark is drawn without ᚱ: no font supports it.",
  };
  const job = await worker.finish(
    await worker.create({
      input_videos: [worker.twin.links("clip")],
      captions_enabled: true,
      custom_captions: ["ᚠᚢ"],
      watermark_enabled: true,
      watermark_text: "@ᚱ",
    }),
  );
  const [made] = await readJobOutputs(worker.context, job.id);
  expect(made!.warnings).toEqual([RUNES, mark]);
  const failed = { status: "Failed", storage_key: null, content_key: null, warnings: "[]" } as const;
  await db.updateTable("job_outputs").set(failed).where("id", "=", made!.id).execute();
  await retryJob(worker.context, job.id);
  await worker.finish(job);
  const [again] = await readJobOutputs(worker.context, job.id);
  expect(again).toMatchObject({ status: "Completed", warnings: [RUNES, mark] });
});
