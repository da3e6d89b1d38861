/** Measures when things happen in a media file, on the clock that players show it by. */
import { execa } from "execa";
import { testTools } from "./media-tools.ts";

/** A shown frame: when, in seconds, and how bright it is on average, 0 to 255. */
type ShownFrame = { seconds: number; brightness: number };

/** Times as the file writes them, or counted from where its first stream begins. */
type Clock = "file" | "first stream";
const CLOCKS = { file: ["-copyts"], "first stream": [] };

/** Keeps the other stream in use: ffmpeg starts the clock of transport streams at the first stream that is. */
const beside = (stream: "a" | "v") => ["-map", `0:${stream}?`, "-c", "copy", "-t", "0.1", "-f", "null", "-"];

/** All frames of a file's picture in the order in which they are shown. */
export async function shownFrames(path: string, clock: Clock = "file"): Promise<ShownFrame[]> {
  const { ffmpeg } = await testTools();
  const args = ["-v", "info", "-hide_banner", ...CLOCKS[clock], "-i", path, "-map", "0:v:0"];
  const filters = "scale=16:16:flags=area,format=gray,showinfo";
  const { stderr } = await execa(ffmpeg, [
    ...args,
    "-fps_mode",
    "passthrough",
    "-vf",
    filters,
    "-f",
    "null",
    "-",
    ...beside("a"),
  ]);
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
  const args = [
    "-v",
    "error",
    ...CLOCKS[clock],
    "-i",
    path,
    "-map",
    "0:a:0",
    "-af",
    filters,
    "-f",
    "f32le",
    "-",
    ...beside("v"),
  ];
  const { stdout } = await execa(ffmpeg, args, { encoding: "buffer" });
  const samples = new Float32Array(stdout.slice().buffer, 0, Math.floor(stdout.byteLength / 4));
  const first = samples.findIndex((sample) => Math.abs(sample) > 0.15);
  return first < 0 ? Number.NaN : first / SAMPLE_RATE;
}

/** Columns of a frame code, and their width in pixels. */
const CODE_BITS = 10;
const CODE_CELL_PIXELS = 16;
/** A lavfi filter that writes each frame's number into its top 16 rows, as black and white cells; pictures are 160 wide. */
export const FRAME_CODE = `format=gray,geq=lum='if(lt(Y,16),if(mod(floor(N/pow(2,floor(X/${CODE_CELL_PIXELS}))),2),235,16),90)',format=yuv420p`;

/** The numbers of a file's frames, and when each of them is first shown. */
export async function frameCodes(path: string): Promise<Map<number, number>> {
  const { ffmpeg } = await testTools();
  const filters = `crop=iw:16:0:0,scale=${CODE_BITS}:1:flags=area,format=gray,showinfo`;
  const args = ["-hide_banner", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-vf", filters];
  const options = { encoding: "buffer" } as const;
  const { stdout, stderr } = await execa(ffmpeg, [...args, "-f", "rawvideo", "-", ...beside("a")], options);
  const times = [
    ...Buffer.from(stderr)
      .toString()
      .matchAll(/pts_time:\s*(-?[\d.]+)/g),
  ].map(([, time]) => Number(time));
  const codes = new Map<number, number>();
  times.forEach((seconds, i) => {
    const cells = [...stdout.subarray(i * CODE_BITS, (i + 1) * CODE_BITS)];
    const code = cells.reduce((sum, cell, bit) => sum + (cell > 128 ? 2 ** bit : 0), 0);
    if (!codes.has(code)) codes.set(code, seconds);
  });
  return codes;
}
