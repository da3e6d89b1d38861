import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { DiskSpace } from "#ground/disk-space.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { requireFreeSpace, requireRenderSpace } from "./free-space.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);

test("reports needed and free space when there is too little", async () => {
  await expect(requireFreeSpace(folder, 3e9, disk(1.25e9))).rejects.toMatchObject({
    code: "no_space",
    message: "There is not enough disk space: this file needs about 3.3 GB and 1.3 GB are free.",
  });
  await expect(requireFreeSpace(folder, 3e9, disk(4e9))).resolves.toBeUndefined();
});

test("a render that needs more than the whole disk fails without a retry", async () => {
  const needed = 3e9 + 256 * 2 ** 20;
  await expect(requireRenderSpace(folder, 3e9, disk(2e9, needed - 1))).rejects.toMatchObject({
    code: "too_large",
    isRetryable: false,
    message:
      "This video needs about 3.3 GB of disk space, but the worker's disk has only 3.3 GB in total. Use fewer variants or captions, a shorter video, or a worker with a larger disk.",
  });
  await expect(requireRenderSpace(folder, 3e9, disk(2e9, needed))).rejects.toMatchObject({ code: "no_space" });
  await expect(requireRenderSpace(folder, 3e9, disk(needed, needed))).resolves.toBeUndefined();
});

function disk(freeBytes: number, totalBytes = 10e9): () => Promise<DiskSpace> {
  return () => Promise.resolve({ freeBytes, totalBytes });
}

function mountSmallDisk(at: string): boolean {
  try {
    execFileSync("/bin/mount", ["-t", "tmpfs", "-o", "size=16m", "tmpfs", at], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test("a render that does not fit on the disk is rejected before anything is written", async (context) => {
  await makeClip(file("clip.mp4"), { seconds: 1 });
  await mkdir(file("disk"));
  const isMounted = mountSmallDisk(file("disk"));
  context.skip(!isMounted, "Mounting a small disk needs root.");
  onTestFinished(() => void execFileSync("/bin/umount", [file("disk")]));
  await expect(renderClip(file("disk"), { source: file("clip.mp4"), captions: ["Hello"] })).rejects.toMatchObject({
    code: "too_large",
    message: expect.stringMatching(/^This video needs about 0\.3 GB .* has only 0\.0 GB in total\. Use .*\.$/),
  });
});
