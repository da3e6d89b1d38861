import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { FONT } from "./clips.ts";

/** About as large as Clipmill's captions. `enable` is ffmpeg's condition for showing it. */
export function drawtext(caption: string, enable = "1"): string {
  const place = `x=(w-tw)/2:y=h*0.74:enable='${enable}'`;
  return `drawtext=fontfile=${FONT}:text='${caption}':fontsize=w*0.06:fontcolor=white:borderw=6:bordercolor=black:${place}`;
}

/** The baseline: one ffmpeg run per variant. Copies the sound or replaces it with a track. */
export async function makePlainVariant(
  source: string,
  toPath: string,
  options: { caption?: string; enable?: string; track?: string; settings?: readonly string[] },
): Promise<void> {
  const { caption, enable, track, settings = [] } = options;
  const sound = track ? ["-map", "1:a", "-c:a", "aac", "-b:a", "192k", "-shortest"] : ["-map", "0:a", "-c:a", "copy"];
  await runTestFfmpeg([
    ...["-i", source, ...(track ? ["-i", track] : [])],
    ...["-map", "0:v", ...sound, ...(caption ? ["-vf", drawtext(caption, enable)] : [])],
    ...["-c:v", "libx264", ...settings, "-movflags", "+faststart", toPath],
  ]);
}
