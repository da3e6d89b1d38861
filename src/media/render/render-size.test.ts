import { stat } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { durations, readDecodeErrors } from "#tests/support/media/measure.ts";
import { readAllFrames } from "#tests/support/media/read-all-frames.ts";
import { type ClipRequest, renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const source = file("noise.mp4");
const SECONDS = 4;
const noise = `testsrc2=s=320x240:r=30:d=${SECONDS},noise=alls=40:allf=t`;
await makeClip(source, { picture: noise, seconds: SECONDS, outputOptions: ["-b:a", "64k"] });

const limitedTo = (maxBytes: number): Pick<ClipRequest, "cut"> => ({ cut: (request) => ({ ...request, maxBytes }) });
const sizeOf = async ({ path: output }: { path: string }) => (await stat(output)).size;

test("a file above the limit is encoded again just below it, whole, and others stay as they are", async () => {
  const request = { source, captions: ["Sale"] };
  const [free] = await renderClip(file("free"), request);
  const bytes = await sizeOf(free!);
  const maxBytes = Math.round(bytes / 3);
  const [limited] = await renderClip(file("limited"), { ...request, ...limitedTo(maxBytes) });
  expect(await sizeOf(limited!)).toBeLessThanOrEqual(maxBytes);
  expect(await sizeOf(limited!)).toBeGreaterThan(maxBytes * 0.6);
  expect(await readDecodeErrors(limited!.path)).toBe("");
  expect(await readAllFrames(limited!.path)).toHaveLength(SECONDS * 30);
  expect((await durations(limited!.path)).audio).toBeCloseTo(SECONDS, 1);
  const [below] = await renderClip(file("below"), { ...request, ...limitedTo(2 * bytes) });
  expect(await sizeOf(below!)).toBe(bytes);
});

test("a copied picture above the limit is encoded, too", async () => {
  const maxBytes = Math.round((await stat(source)).size / 4);
  const [output] = await renderClip(file("copied"), { source, ...limitedTo(maxBytes) });
  expect(await sizeOf(output!)).toBeLessThanOrEqual(maxBytes);
});

test("a file that cannot be so small fails with a sentence", async () => {
  await expect(renderClip(file("tiny"), { source, ...limitedTo(20_000) })).rejects.toThrow(
    "This file does not fit in 0.02 MB, because it is 4 s long.",
  );
});
