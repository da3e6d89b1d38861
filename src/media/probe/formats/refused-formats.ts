import { isAnimatedWebp } from "./container-signature.ts";

/** Names of moving pictures' formats, by ffmpeg's, that are not on the list. Raw streams have no timestamps. */
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

/**
 * Returns the name of a file's format if it is one of moving pictures that is refused, and null for anything else. `stderr` is
 * ffmpeg's, about a file that it did not open.
 */
export async function nameRefusedFormat(path: string, stderr: string): Promise<string | null> {
  const [, format = ""] = /^\[(\w+) @ [^\]]*\] Format not on whitelist/m.exec(stderr) ?? [];
  if (Object.hasOwn(NAMES, format)) return NAMES[format]!;
  return (await isAnimatedWebp(path)) ? "animated WebP" : null;
}
