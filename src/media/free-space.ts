/** Whether a render fits on its disk, told before it begins. */
import { ClipmillError } from "#contract/errors.ts";
import { readDiskSpace } from "#ground/disk-space.ts";
import type { RenderPlan } from "./plan/render-plan.ts";

/** Bits a pixel and frame of a busy picture: far above the usual at our quality, since too little is worse than too careful. */
const BITS_PER_PIXEL = 0.25;
const SOUND_BYTES_PER_SECOND = 192_000 / 8;
/** Left for everything else that writes to the disk. */
const RESERVE_BYTES = 256 * 2 ** 20;

/** Bytes that a plan's streams and outputs take at most at one time, about: streams go when their last output is handed over. */
export function estimateBytes(plan: RenderPlan, sourceBytes: number): number {
  const { numerator, denominator } = plan.frameRate;
  const pictureBytesPerSecond = (plan.width * plan.height * (numerator / denominator) * BITS_PER_PIXEL) / 8;
  const bytesOf = (seconds: number) => seconds * (pictureBytesPerSecond + SOUND_BYTES_PER_SECOND);
  const pictures = plan.pictures.reduce((sum, { cut }) => sum + cut.seconds, 0);
  const sounds = plan.sounds.reduce((sum, { cut }) => sum + cut.seconds, 0);
  // an output is written twice: by itself, and again to move its index to the front
  const longest = Math.max(0, ...plan.outputs.map(({ seconds }) => seconds));
  const copied = plan.outputs.some(({ picture }) => picture.from === "source") ? 2 * sourceBytes : 0;
  return pictures * pictureBytesPerSecond + sounds * SOUND_BYTES_PER_SECOND + 2 * bytesOf(longest) + copied;
}

/**
 * Throws ClipmillError "no_space" when the disk of `folder` has less than `bytes` and a reserve left. `readFree` answers the
 * free bytes of a folder's disk.
 */
export async function requireFreeSpace(
  folder: string,
  bytes: number,
  readFree: (folder: string) => Promise<number> = freeBytesOf,
): Promise<void> {
  const needed = bytes + RESERVE_BYTES;
  const free = await readFree(folder);
  if (free >= needed) return;
  throw new ClipmillError(
    "no_space",
    `There is not enough disk space: this file needs about ${inGigabytes(needed)} GB and ${inGigabytes(free)} GB are free.`,
    { facts: { needed, free } },
  );
}

async function freeBytesOf(folder: string): Promise<number> {
  return (await readDiskSpace(folder)).freeBytes;
}

function inGigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(1);
}
