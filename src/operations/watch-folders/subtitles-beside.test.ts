import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { addTestFolder, checkDue, openWatchContext, settleFiles, statesOf } from "#tests/support/watch-folder.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { addPreset } from "../presets/change-presets.ts";
import { saveServiceKey } from "../settings/service-key.ts";
import type { WatchContext } from "./watch-context.ts";

const SRT = "1\n00:00:00,500 --> 00:00:01,500\nHello there\n";

const scratch = await makeScratchFolder();
let number = 0;
let stack: AsyncDisposableStack;
let context: WatchContext;
let incoming: string;

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  const folder = path.join(scratch, String((number += 1)));
  await mkdir(folder);
  context = await openWatchContext(stack, folder);
  incoming = path.join(folder, "watch/incoming");
});
afterEach(() => stack.disposeAsync());

const drop = (name: string, content = `video ${name}`) => writeFile(path.join(incoming, name), content);

async function watch(settings: Record<string, unknown>): Promise<string> {
  const preset = { name: "For a folder", settings };
  const added = await context.db.transaction().execute((trx) => addPreset({ ...context, trx }, preset));
  return (await addTestFolder(context, { preset_id: added.id })).id;
}

async function ownSubtitles() {
  const videos = await context.db
    .selectFrom("job_videos")
    .innerJoin("jobs", "jobs.id", "job_id")
    .select("row_settings")
    .orderBy("position")
    .execute();
  return videos.map(({ row_settings: own }) => own?.subtitles ?? null);
}

it("uses a subtitle file of the same name, and the speech of other videos", async () => {
  await saveServiceKey(context, "openai_key", "sk-a-key-of-some-length");
  const id = await watch({ subtitles_enabled: true });
  await drop("a.mp4");
  await drop("b.mov");
  await drop("a.srt", SRT);
  await drop("c.srt", SRT);
  await checkDue(context);
  await settleFiles(context);
  const left = "skipped: Not a video.";
  expect(await statesOf(context, id)).toEqual({ "a.mp4": "taken", "b.mov": "taken", "a.srt": left, "c.srt": left });
  expect(await ownSubtitles()).toEqual([expect.stringContaining("clipmill.local/file/d/"), null]);
});

it("leaves subtitle files alone if the preset shows none", async () => {
  await watch({});
  await drop("a.mp4");
  await drop("a.srt", SRT);
  await settleFiles(context);
  expect(await ownSubtitles()).toEqual([null]);
  expect(await context.db.selectFrom("library_files").select("name").execute()).toEqual([{ name: "a.mp4" }]);
});

it("names a subtitle file that cannot be read, instead of a job without it", async () => {
  const id = await watch({ subtitles_enabled: true });
  await drop("a.mp4");
  await drop("a.srt", "no subtitles");
  await settleFiles(context);
  expect((await statesOf(context, id))["a.mp4"]).toMatch(/^skipped: a\.srt: This file has no subtitles\./);
  expect(await ownSubtitles()).toEqual([]);
});

it("pauses with the reason if there is neither a file nor a transcription", async () => {
  await watch({ subtitles_enabled: true });
  await drop("a.mp4");
  await settleFiles(context);
  const folder = await context.db.selectFrom("watch_folders").select("pause_reason").executeTakeFirstOrThrow();
  expect(folder.pause_reason).toContain("Subtitles are enabled but no subtitle file provided");
});
