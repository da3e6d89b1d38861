/** Measures when things happen in a media file, on the clock that players show it by. */
import { execa } from "execa";
import { testTools } from "./media-tools.ts";

/** A shown frame: when, in seconds, and how bright it is on average, 0 to 255. */
type ShownFrame = { seconds: number; brightness: number };

/** Times as the file writes them, or counted from where its first stream begins. */
type Clock = "file" | "first stream";
const CLOCKS = { file: ["-copyts"], "first stream": [] };

/** All frames of a file's picture in the order in which they are shown. */
export async function shownFrames(path: string, clock: Clock = "file"): Promise<ShownFrame[]> {
  const { ffmpeg } = await testTools();
  const args = ["-v", "info", "-hide_banner", ...CLOCKS[clock], "-i", path, "-map", "0:v:0"];
  const filters = "scale=16:16:flags=area,format=gray,showinfo";
  const { stderr } = await execa(ffmpeg, [...args, "-fps_mode", "passthrough", "-vf", filters, "-f", "null", "-"]);
  return [...stderr.matchAll(/pts_time:\s*(-?[\d.]+).*?mean:\[(\d+)/g)].map(([, seconds, brightness]) => ({
    seconds: Number(seconds),
    brightness: Number(brightness),
  }));
}

const SAMPLE_RATE = 48_000;

/** The seconds at which the picture first turns bright. */
export async function flashSeconds(path: string, clock: Clock = "file"): Promise<number> {
  return (await shownFrames(path, clock)).find(({ brightness }) => brightness > 128)?.seconds ?? Number.NaN;
}

/** The seconds at which the sound first gets loud. */
export async function clickSeconds(path: string, clock: Clock = "file"): Promise<number> {
  const { ffmpeg } = await testTools();
  // a late start is filled with silence, what comes before zero is not heard
  const filters = `pan=mono|c0=c0,aresample=${SAMPLE_RATE}:async=1:first_pts=0`;
  const args = ["-v", "error", ...CLOCKS[clock], "-i", path, "-map", "0:a:0", "-af", filters, "-f", "f32le", "-"];
  const { stdout } = await execa(ffmpeg, args, { encoding: "buffer" });
  const samples = new Float32Array(stdout.slice().buffer, 0, Math.floor(stdout.byteLength / 4));
  const first = samples.findIndex((sample) => Math.abs(sample) > 0.15);
  return first < 0 ? Number.NaN : first / SAMPLE_RATE;
}
