import { ClipmillError } from "#contract/errors.ts";
import { readDiskSpace } from "#ground/disk-space.ts";
import { MAX_SOUNDS_AT_ONCE, type RenderPlan, type RenderRequest } from "./plan/render-plan.ts";

/** A busy picture. Clean ones need 0.02 to 0.15 at our quality, but strong grain more than 1. */
const BITS_PER_PIXEL = 0.25;
/** Noise; usual sound needs half. */
const SOUND_BYTES_PER_SECOND = 256_000 / 8;
/** Two channels of 32-bit samples, during loudness normalization. */
const MIXED_BYTES_PER_SECOND = 48_000 * 2 * 4;
const RESERVE_BYTES = 256 * 2 ** 20;

/** Peak bytes of streams and outputs. Streams are deleted after their last output is delivered. */
export function estimateBytes(
  plan: RenderPlan,
  { settings }: Pick<RenderRequest, "settings">,
  sourceBytes: number,
): number {
  const { numerator, denominator } = plan.frameRate;
  const pictureBytesPerSecond = (plan.width * plan.height * (numerator / denominator) * BITS_PER_PIXEL) / 8;
  const bytesOf = (seconds: number) => seconds * (pictureBytesPerSecond + SOUND_BYTES_PER_SECOND);
  const stretches = plan.stretches.reduce((sum, { cut }) => sum + cut.seconds, 0);
  const sounds = plan.sounds.reduce((sum, { seconds }) => sum + seconds, 0);
  // An output is written while the previous one is delivered.
  const longest = Math.max(0, ...plan.outputs.map(({ seconds }) => seconds));
  // Likewise for copies of the source, which need an intermediate copy of the picture.
  const copied = plan.outputs.some(({ picture }) => picture.from === "source") ? 3 * sourceBytes : 0;
  const mixed = settings.loudness_lufs === null ? 0 : Math.min(sounds, MAX_SOUNDS_AT_ONCE * longest);
  return (
    stretches * pictureBytesPerSecond +
    sounds * SOUND_BYTES_PER_SECOND +
    mixed * MIXED_BYTES_PER_SECOND +
    2 * bytesOf(longest) +
    copied
  );
}

/** Even the empty disk has too little space, so that waiting cannot help. Another worker may have a larger disk. */
export class DiskTooSmall extends ClipmillError {
  constructor(needed: number, total: number) {
    const text = `This video needs about ${inGigabytes(needed)} GB of disk space, but the worker's disk has only ${inGigabytes(total)} GB in total. Use fewer variants or captions, a shorter video, or a worker with a larger disk.`;
    super("too_large", text, { facts: { needed, total } });
  }
}

/** Like `requireFreeSpace`, but throws DiskTooSmall if the whole disk is too small. */
export async function requireRenderSpace(folder: string, bytes: number, readSpace = readDiskSpace): Promise<void> {
  const needed = bytes + RESERVE_BYTES;
  const { totalBytes: total } = await readSpace(folder);
  if (needed > total) throw new DiskTooSmall(needed, total);
  await requireFreeSpace(folder, bytes, readSpace);
}

/** Throws ClipmillError "no_space" if the disk of `folder` has less than `bytes` plus the reserve. */
export async function requireFreeSpace(folder: string, bytes: number, readSpace = readDiskSpace): Promise<void> {
  const needed = bytes + RESERVE_BYTES;
  const { freeBytes: free } = await readSpace(folder);
  if (free >= needed) return;
  throw new ClipmillError(
    "no_space",
    `There is not enough disk space: this file needs about ${inGigabytes(needed)} GB and ${inGigabytes(free)} GB are free.`,
    { facts: { needed, free } },
  );
}

function inGigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(1);
}
