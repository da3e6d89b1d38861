import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { JOB_DEFAULTS, streamSettings } from "#contract/job-settings/setting-values.ts";
import { endMissing } from "#contract/jobs/outputs/warnings.ts";
import { PHONE_CLIP } from "#tests/support/media/probes/phone-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { STORAGES } from "#tests/support/servers/storages.ts";
import { hasResult, putOrder, putResult, readOrder, type SharedOrder, takeDrawings, takeResult } from "./run-files.ts";

const cut = { firstFrame: 0, startSeconds: 0, seconds: 1, frames: 30, isCutAtStart: false, isCutAtEnd: true };
const rate = { numerator: 30, denominator: 1 };
const frames = { width: 64, height: 64, framing: null, frameRate: rate, offsetSeconds: 0, keyframeFrames: 250 };
const ORDER: SharedOrder = {
  ...{ width: 64, height: 64, frameRate: rate, frames: [frames], settings: streamSettings(JOB_DEFAULTS) },
  sources: [{ probe: PHONE_CLIP, revision: "revision" }],
  links: ["a link"],
  drawings: [[0, { hash: "hash", x: 1, y: 2 }]],
  runs: [
    {
      ...{ source: 0, followsSeam: false, precedesPart: false, cuts: [cut], encoders: 2 },
      lines: ["one", "two"].map((id) => ({ layers: [{ drawing: 0, shown: null }], ids: [id] })),
    },
  ],
  keys: { one: "key-1", two: "key-2" },
  withThumbnail: ["one"],
};

it.each(STORAGES)("exchanges runs and their results through $kind", async ({ openStorage }) => {
  const folder = await makeScratchFolder();
  const [here, there] = [path.join(folder, "here"), path.join(folder, "there")];
  for (const scratch of [here, there]) await mkdir(scratch);
  const storage = await openStorage(folder);
  const at = { storage: storage.storage, folder: "runs/job/video", signal: new AbortController().signal };
  const write = async (name: string): Promise<string> => {
    await writeFile(path.join(here, name), name);
    return path.join(here, name);
  };

  const drawing = await write("drawing.png");
  const key = await putOrder(at, { order: ORDER, drawings: new Map([["hash", drawing]]), scratch: here });
  expect(await readFile(drawing, "utf8")).toBe("drawing.png");
  expect(await readOrder(at.storage, key)).toEqual(ORDER);
  expect(await readFile((await takeDrawings(at, ["hash"], there)).get("hash")!, "utf8")).toBe("drawing.png");

  expect([await hasResult(at, ORDER, 0), await takeResult(at, ORDER, 0, there)]).toEqual([false, null]);
  const streams = new Map([
    ["one", { path: await write("one.mp4"), thumbnailPath: await write("one.jpg"), seconds: 1 }],
    ["two", { path: await write("two.mp4"), thumbnailPath: null, seconds: 0.9, warnings: [endMissing(1)] }],
  ]);
  await putResult(at, ORDER, 0, { streams, scratch: here });
  expect(await hasResult(at, ORDER, 0)).toBe(true);
  const taken = (await takeResult(at, ORDER, 0, there))!;
  expect([...taken].map(([id, { seconds, warnings }]) => [id, seconds, warnings])).toEqual([
    ["one", 1, []],
    ["two", 0.9, [endMissing(1)]],
  ]);
  expect(await readFile(taken.get("one")!.thumbnailPath!, "utf8")).toBe("one.jpg");
  expect(await readFile(taken.get("two")!.path, "utf8")).toBe("two.mp4");

  await at.storage.put("runs/job/video/key-1.mp4", await write("cut"));
  await expect(takeResult(at, ORDER, 0, there)).rejects.toThrow("incomplete");
  await at.storage.removeAll("runs/job");
  expect(await hasResult(at, ORDER, 0)).toBe(false);
  // The taken file is the taker's own.
  expect((await stat(taken.get("two")!.path)).size).toBe(7);
  await storage.close();
});
