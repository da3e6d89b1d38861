import { isAnimatedWebp } from "./container-signature.ts";

/** By ffmpeg's names. Raw streams have no timestamps. */
const NAMES: Readonly<Record<string, string>> = {
  vvc: "raw H.266 (VVC)",
  h264: "raw H.264",
  hevc: "raw H.265",
  obu: "raw AV1",
  ivf: "IVF",
  rm: "RealMedia",
  nut: "NUT",
  wtv: "WTV",
  swf: "Flash (SWF)",
  yuv4mpegpipe: "YUV4MPEG",
};
const PROBED = /^\[\S+ @ [^\]]*\] Format (\w+) probed with size=/m;

/**
 * `stderr` is ffmpeg's output when it failed to open the file; `readDebugLog` returns it at level "debug". Null for
 * formats that are not refused.
 */
export async function nameRefusedFormat(
  path: string,
  stderr: string,
  readDebugLog: () => Promise<string>,
): Promise<string | null> {
  const [, refuser] = /^\[(\S+) @ [^\]]*\] Format not on whitelist/m.exec(stderr) ?? [];
  // ffmpeg 9 names the input instead of the format.
  const format = refuser?.includes("#") ? PROBED.exec(await readDebugLog())?.[1] : refuser;
  if (format !== undefined && Object.hasOwn(NAMES, format)) return NAMES[format]!;
  return (await isAnimatedWebp(path)) ? "animated WebP" : null;
}
