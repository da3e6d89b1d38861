import { execa } from "execa";
import { testTools } from "#tests/support/media/media-tools.ts";

/**
 * The VMAF score of `video` beside the frames that `filters` make of `reference`, whose further inputs are `inputs`. Needs an
 * ffmpeg with libvmaf; the bundled one has it.
 */
export async function measureVmaf(
  video: string,
  reference: { path: string; filters: string; inputs?: readonly string[] },
): Promise<number> {
  const { ffmpeg } = await testTools();
  const inputs = [video, reference.path, ...(reference.inputs ?? [])].flatMap((path) => ["-i", path]);
  // Frames are paired by their number: containers round their times differently, and a neighbour would be compared.
  const byNumber = "settb=1/30,setpts=N";
  const graph = `[0:v]${byNumber}[video];[1:v]${reference.filters},${byNumber}[reference];[video][reference]libvmaf=n_subsample=5`;
  const { stderr } = await execa(ffmpeg, ["-nostdin", "-hide_banner", ...inputs, "-lavfi", graph, "-f", "null", "-"]);
  const score = /VMAF score: ([\d.]+)/.exec(stderr)?.[1];
  if (!score) throw new Error("This ffmpeg does not say a VMAF score.");
  return Number(score);
}
