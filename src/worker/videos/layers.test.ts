import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Layer } from "#contract/jobs/outputs/layers.ts";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import { readManifest } from "#operations/downloads/manifest/open-manifest.ts";
import { deleteLibraryFile } from "#operations/library/change-library-file.ts";
import { readJobOutputs } from "#operations/jobs/read/read-job.ts";
import { findFiles } from "#tests/support/jobs/find-files.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { makePng } from "#tests/support/media/make-image.ts";
import { boxOfPixels, framePixels } from "#tests/support/media/measure.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

const NAMES = ["a", "a-much-longer-name"] as const;
const LOGOS = { red: [255, 0, 0, 255], blue: [0, 0, 255, 255] } as const;

let worker: TestWorker;

beforeAll(async () => {
  worker = await openTestWorker();
  const { db, storage } = worker.context;
  for (const name of NAMES) {
    const file = path.join(worker.folder, `${name}.mp4`);
    await makeClip(file, { width: 320, height: 320, framesPerSecond: 10, seconds: 2, color: "gray" });
    worker.twin.add({ id: name, path: file, name: `${name}.mp4`, mimeType: "video/mp4" });
  }
  for (const [name, color] of Object.entries(LOGOS)) {
    const file = path.join(worker.folder, `${name}.png`);
    await writeFile(file, makePng(40, 40, [...color]));
    await storage.put(`library/${name}`, file);
    const facts = { size_bytes: 1, duration_seconds: 0, is_sample: false, storage_key: `library/${name}` };
    await db
      .insertInto("library_files")
      .values({ id: name, name: `${name}.png`, kind: "image", ...facts, stored_at: new Date().toISOString() })
      .execute();
  }
  await worker.start();
});
afterAll(() => worker[Symbol.asyncDispose]());

const linkOf = (name: (typeof NAMES)[number]) => worker.twin.links(name);

/** A solid box around its letters, as wide as its text. */
const SIGN = { kind: "text", style: "box", box_color: "#ffff00", color: "#ffff00", position: "top-left" } as const;

type Pixel = { red: number; green: number; blue: number };
const COLORS: Record<string, (pixel: Pixel) => boolean> = {
  yellow: ({ red, green, blue }) => red > 180 && green > 180 && blue < 110,
  red: ({ red, green, blue }) => red > 180 && green < 90 && blue < 90,
  blue: ({ red, green, blue }) => red < 90 && green < 90 && blue > 180,
};

async function widthOf(file: string, color: keyof typeof COLORS, seconds = 0.5): Promise<number> {
  const box = boxOfPixels(await framePixels(file, seconds), COLORS[color]!);
  return box === null ? 0 : box.right - box.left + 1;
}

const row = (price: string, logo: string) => ({ link: linkOf("a"), pass: { price, logo } });

it("fills a price and a logo in for each row, and shares what rows have in common", async () => {
  const layers: Layer[] = [
    { ...SIGN, text: "{row.price}" },
    { kind: "image", image: "{row.logo}", position: "bottom-right", size: 0.25 },
  ];
  const job = await worker.create({
    input_videos: [],
    rows: [row("8", libraryLink("red")), row("88888888", libraryLink("blue")), row("", "")],
    layers,
  });
  expect(await worker.finish(job)).toMatchObject({ status: "Completed", layers });
  const files = await findFiles(worker, job.id);
  const widths = await Promise.all(files.map((file) => widthOf(file, "yellow")));
  expect(widths[1]! / widths[0]!).toBeGreaterThan(3);
  expect(widths[2]).toBe(0);
  expect(await Promise.all(files.map((file) => widthOf(file, "red")))).toEqual([80, 0, 0]);
  expect(await Promise.all(files.map((file) => widthOf(file, "blue")))).toEqual([0, 80, 0]);
  expect((await readManifest(worker.context, job.id)).request.layers).toEqual(layers);
});

it("names the clip that is shown, counts times over the whole file, and knows its caption and variant", async () => {
  const job = await worker.create({
    input_videos: [],
    slots: [
      { name: "Hook", clips: [{ link: linkOf("a") }] },
      { name: "Body", clips: [{ link: linkOf("a-much-longer-name") }] },
    ],
    captions_enabled: true,
    custom_captions: ["x", "xxxxxxxxxxxx"],
    variants_per_video: 2,
    layers: [
      { ...SIGN, text: "{part.name}", start_seconds: 1, end_seconds: 3 },
      { ...SIGN, text: "{caption}", position: "left", box_color: "#ff0000", color: "#ff0000" },
    ],
  });
  expect(await worker.finish(job)).toMatchObject({ status: "Completed" });
  const [first, second] = await findFiles(worker, job.id);
  const named = await Promise.all([0.5, 1.5, 2.5, 3.5].map((seconds) => widthOf(first!, "yellow", seconds)));
  expect(named.map((width) => width > 0)).toEqual([false, true, true, false]);
  expect(named[2]! / named[1]!).toBeGreaterThan(3);
  expect((await widthOf(second!, "red")) / (await widthOf(first!, "red"))).toBeGreaterThan(3);
  expect((await readJobOutputs(worker.context, job.id)).flatMap(({ warnings }) => warnings)).toEqual([]);
});

const withLogo = (logo: string) => ({
  input_videos: [],
  rows: [{ link: linkOf("a"), pass: { logo } }],
  layers: [{ kind: "image" as const, image: "{row.logo}" }],
  worker_labels: "none",
});

it("a waiting job keeps its layers' images, also those of rows; a missing one is named at the start", async () => {
  await worker.create(withLogo(libraryLink("blue")));
  await expect(deleteLibraryFile(worker.context, "blue")).rejects.toMatchObject({ code: "conflict" });
  await expect(worker.create(withLogo(libraryLink("gone")))).rejects.toMatchObject({
    code: "invalid",
    message: "The layer image is no longer in the library. Choose another one or remove it",
  });
});
