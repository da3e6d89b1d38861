import type { Frame } from "./measure.ts";
import { readTestFfmpeg } from "./media-tools.ts";

/** Brightness is the mean, 0 to 255. */
type ShownFrame = { seconds: number; brightness: number };

type Clock = "file" | "first stream";
const CLOCKS = { file: ["-copyts"], "first stream": [] };

/** Keeps a second stream in use, because ffmpeg starts the clock of transport streams at the first used stream. */
const beside = (stream: "a" | "v") => ["-map", `0:${stream}?`, "-c", "copy", "-t", "0.1", "-f", "null", "-"];

/** Orders by presentation. */
export async function shownFrames(path: string, clock: Clock = "file"): Promise<ShownFrame[]> {
  const args = ["-v", "info", "-nostats", "-hide_banner", ...CLOCKS[clock], "-i", path, "-map", "0:v:0"];
  const filters = "scale=16:16:flags=area,format=gray,showinfo";
  const { stderr } = await readTestFfmpeg([
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

export type DecodedFrame = { seconds: number; durationSeconds: number; pixels: Frame };

/**
 * Decodes all frames as they are stored, since many players ignore mirroring. In presentation order. `matrix` is the color matrix that players assume if the file
 * specifies none. Rejects on any decoding error.
 */
export async function decodeFrames(path: string, matrix = "auto"): Promise<DecodedFrame[]> {
  const filters = `showinfo,scale=in_color_matrix=${matrix}:flags=bilinear+accurate_rnd+full_chroma_int,format=rgb24`;
  const output = ["-map", "0:v:0", "-fps_mode", "passthrough", "-vf", filters, "-f", "rawvideo", "pipe:1"];
  const args = ["-v", "level+info", "-nostats", "-hide_banner", "-noautorotate", "-copyts", "-i", path, ...output];
  const { stdout, stderr } = await readTestFfmpeg(args);
  const log = stderr;
  const errors = log.split("\n").filter((line) => /\[(error|fatal)\]/.test(line));
  if (errors.length > 0) throw new Error(`${path} has errors: ${errors.join("\n")}`);
  const shown = [...log.matchAll(/pts_time:\s*(-?[\d.]+).*? duration_time:\s*(-?[\d.]+).*? s:(\d+)x(\d+)/g)];
  const [width, height] = [Number(shown[0]?.[3]), Number(shown[0]?.[4])];
  return shown.map(([, seconds, duration], i) => {
    const data = stdout.subarray(i * width * height * 3, (i + 1) * width * height * 3);
    return { seconds: Number(seconds), durationSeconds: Number(duration), pixels: { width, height, data } };
  });
}

export const SAMPLE_RATE = 48_000;

/** In seconds; NaN if never. */
export async function flashSeconds(path: string, clock: Clock = "file"): Promise<number> {
  return (await shownFrames(path, clock)).find(({ brightness }) => brightness > 128)?.seconds ?? Number.NaN;
}

/** In seconds; NaN if never. */
export async function clickSeconds(path: string, clock: Clock = "file"): Promise<number> {
  const first = (await decodeSamples(path, clock)).findIndex((sample) => Math.abs(sample) > 0.15);
  return first < 0 ? Number.NaN : first / SAMPLE_RATE;
}

/** Returns the left channel from time zero at 48 kHz. Pads a late start and drops samples before zero. */
export async function decodeSamples(path: string, clock: Clock = "file"): Promise<Float32Array> {
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
  const { stdout } = await readTestFfmpeg(args);
  return new Float32Array(stdout.slice().buffer, 0, Math.floor(stdout.byteLength / 4));
}

const CODE_BITS = 10;
const CODE_CELL_PIXELS = 16;
/**
 * A lavfi filter that codes each frame's number as black and white cells in its top 16 rows. Pictures must be 160 px
 * wide.
 */
export const FRAME_CODE = `format=gray,geq=lum='if(lt(Y,16),if(mod(floor(N/pow(2,floor(X/${CODE_CELL_PIXELS}))),2),235,16),90)',format=yuv420p`;

/** Returns the number that each frame shows, with its time in seconds, in order. */
export async function shownCodes(path: string): Promise<{ code: number; seconds: number }[]> {
  const filters = `crop=iw:16:0:0,scale=${CODE_BITS}:1:flags=area,format=gray,showinfo`;
  const args = ["-nostats", "-hide_banner", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-vf", filters];
  const { stdout, stderr } = await readTestFfmpeg([...args, "-f", "rawvideo", "-", ...beside("a")]);
  const times = [...stderr.matchAll(/pts_time:\s*(-?[\d.]+)/g)].map(([, time]) => Number(time));
  return times.map((seconds, i) => {
    const cells = [...stdout.subarray(i * CODE_BITS, (i + 1) * CODE_BITS)];
    return { code: cells.reduce((sum, cell, bit) => sum + (cell > 128 ? 2 ** bit : 0), 0), seconds };
  });
}

/** Returns frame numbers with the time in seconds at which each first appears. */
export async function frameCodes(path: string): Promise<Map<number, number>> {
  const codes = new Map<number, number>();
  for (const { code, seconds } of await shownCodes(path)) if (!codes.has(code)) codes.set(code, seconds);
  return codes;
}
