import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { requireFreeSpace } from "./free-space.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);

test("reports needed and free space when there is too little", async () => {
  await expect(requireFreeSpace(folder, 3e9, async () => 1.25e9)).rejects.toMatchObject({
    code: "no_space",
    message: "There is not enough disk space: this file needs about 3.3 GB and 1.3 GB are free.",
  });
  await expect(requireFreeSpace(folder, 3e9, async () => 4e9)).resolves.toBeUndefined();
});

function mountSmallDisk(at: string): boolean {
  try {
    execFileSync("/bin/mount", ["-t", "tmpfs", "-o", "size=16m", "tmpfs", at], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test("a render that does not fit on the disk is refused before anything is written", async (context) => {
  await makeClip(file("clip.mp4"), { seconds: 1 });
  await mkdir(file("disk"));
  const isMounted = mountSmallDisk(file("disk"));
  context.skip(!isMounted, "Mounting a small disk needs root.");
  onTestFinished(() => void execFileSync("/bin/umount", [file("disk")]));
  await expect(renderClip(file("disk"), { source: file("clip.mp4"), captions: ["Hello"] })).rejects.toMatchObject({
    code: "no_space",
    message: expect.stringMatching(/needs about 0\.3 GB and 0\.0 GB are free\.$/),
  });
});
