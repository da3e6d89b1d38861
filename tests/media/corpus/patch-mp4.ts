/** Changes headers of MP4 files in ways that ffmpeg does not write. */
import { readFile, writeFile } from "node:fs/promises";

/** Columns a, b, c, d of a track's matrix: x' = a x + c y, y' = b x + d y. */
export type Matrix = readonly [a: number, b: number, c: number, d: number];

/** Copies `from` to `to`; players turn and mirror its first track as `matrix` says. */
export async function writeMatrix(from: string, to: string, [a, b, c, d]: Matrix): Promise<void> {
  const file = await readFile(from);
  const header = file.indexOf("tkhd");
  // version 0: 4 bytes each of name, version, two times, id, reserved, duration, then 16 bytes before the matrix
  const matrix = header + 44;
  const cells = [
    [0, a],
    [4, b],
    [12, c],
    [16, d],
  ] as const;
  for (const [offset, value] of cells) file.writeInt32BE(value * 65_536, matrix + offset);
  await writeFile(to, file);
}
