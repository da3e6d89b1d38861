import { type Frame, probeFile } from "./measure.ts";
import { readTestFfmpeg } from "./media-tools.ts";

/** Returns all frames in presentation order. Rejects if the frame size changes. */
export async function readAllFrames(path: string): Promise<Frame[]> {
  const { width, height } = (await probeFile(path)).streams.find(({ type }) => type === "video")!;
  const args = ["-v", "error", "-reinit_filter", "0", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough"];
  const { stdout, stderr } = await readTestFfmpeg([...args, "-pix_fmt", "rgb24", "-f", "rawvideo", "-"]);
  if (stderr !== "") throw new Error(stderr);
  const bytes = width * height * 3;
  return Array.from({ length: stdout.byteLength / bytes }, (_, i) => {
    return { width, height, data: stdout.subarray(i * bytes, (i + 1) * bytes) };
  });
}
