import { readFile } from "node:fs/promises";
import { execa } from "execa";
import { testTools } from "#tests/support/media/media-tools.ts";

/**
 * Returns the mean VMAF score of every fifth frame, or of all `frames`. The filters of `reference` may use further
 * `inputs`. Needs an ffmpeg with libvmaf, such as the bundled one.
 */
export async function measureVmaf(
  video: string,
  reference: { path: string; filters: string; inputs?: readonly string[] },
  frames: { from: number; to: number } | null = null,
): Promise<number> {
  const { ffmpeg } = await testTools();
  const inputs = [video, reference.path, ...(reference.inputs ?? [])].flatMap((path) => ["-i", path]);
  // Pairs frames by number: containers round timestamps differently, which would pair neighboring frames.
  const range = frames ? `trim=start_frame=${frames.from}:end_frame=${frames.to},` : "";
  const byNumber = `${range}settb=1/30,setpts=N`;
  const compare = `[video][reference]libvmaf=n_subsample=${frames ? 1 : 5}`;
  const graph = `[0:v]${byNumber}[video];[1:v]${reference.filters},${byNumber}[reference];${compare}`;
  const { stderr } = await execa(ffmpeg, ["-nostdin", "-hide_banner", ...inputs, "-lavfi", graph, "-f", "null", "-"]);
  const score = /VMAF score: ([\d.]+)/.exec(stderr)?.[1];
  if (!score) throw new Error("ffmpeg reported no VMAF score.");
  return Number(score);
}

/** Returns mean VMAF and CAMBI (banding; visible from about 5) of every fifth frame. `logFile` is overwritten. */
export async function measureScores(
  video: string,
  reference: string,
  logFile: string,
): Promise<{ vmaf: number; cambi: number }> {
  const { ffmpeg } = await testTools();
  const compare = `libvmaf=n_subsample=5:feature=name=cambi:log_fmt=json:log_path=${logFile}`;
  const graph = `[0:v]settb=1/30,setpts=N[video];[1:v]settb=1/30,setpts=N[reference];[video][reference]${compare}`;
  await execa(ffmpeg, ["-nostdin", "-v", "error", "-i", video, "-i", reference, "-lavfi", graph, "-f", "null", "-"]);
  const { pooled_metrics: pooled } = JSON.parse(await readFile(logFile, "utf8")) as {
    pooled_metrics: Record<"vmaf" | "cambi", { mean: number }>;
  };
  return { vmaf: pooled.vmaf.mean, cambi: pooled.cambi.mean };
}
