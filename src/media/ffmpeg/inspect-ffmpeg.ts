import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { FfmpegOrigin } from "#contract/settings/system.ts";
import type { Ffmpeg } from "./choose-ffmpeg.ts";
import { readCodecs } from "../probe/formats/codecs.ts";
import { mediaEnvironment } from "../launch/environment.ts";

/** ffmpeg 5.0 has libavutil 57. */
const OLDEST_LIBRARY = 57;
const ENCODERS = ["libx264", "aac", "mjpeg"];
const FILTERS = [
  ...["overlay", "split", "scale", "crop", "fps", "tpad", "format", "setsar", "setparams", "bwdif", "tonemap"],
  ...["pad", "trim", "setpts", "fade", "loop", "gblur", "lutyuv", "hstack", "vstack"],
  ...["aresample", "aformat", "volume", "amix", "alimiter", "pan", "aloop", "apad", "atrim", "afade", "asetpts"],
  ...["silenceremove", "areverse", "premultiply", "ebur128"],
  ...["asplit", "highpass", "lowpass", "agate", "asoftclip", "sidechaincompress"],
];

const TIMEOUT_MS = 15_000;
const MAX_LISTING_BYTES = 4 * 1024 ** 2;

/** What ffmpeg prints about itself. */
export type Listings = { about: string; encoders: string; filters: string; codecs: string };

/** Null if the program does not run. */
export async function listFeatures(file: string): Promise<Listings | null> {
  try {
    const [about, encoders, filters, codecs] = await Promise.all([
      outputOf(file, ["-version"]),
      outputOf(file, ["-hide_banner", "-encoders"]),
      outputOf(file, ["-hide_banner", "-filters"]),
      outputOf(file, ["-hide_banner", "-codecs"]),
    ]);
    return { about, encoders, filters, codecs };
  } catch {
    return null;
  }
}

/** Returns the version and capabilities, or why the program cannot be used. */
export function describeFfmpeg(file: string, origin: FfmpegOrigin, listings: Listings | null): Ffmpeg | string {
  if (listings === null) return "it does not run";
  const { about, encoders, filters, codecs } = listings;
  const [, ...library] = /^libavutil\s+(\d+)\.\s*(\d+)\.\s*(\d+)/m.exec(about)?.map(Number) ?? [];
  if ((library[0] ?? 0) < OLDEST_LIBRARY) return "it is older than version 5";
  const missing = [...missingOf(ENCODERS, encoders), ...missingOf(FILTERS, filters)];
  if (missing.length > 0) return `it lacks ${missing.join(", ")}`;
  const version = /^ffmpeg version (\S+)/.exec(about)?.[1] ?? "unknown";
  const hasZscale = missingOf(["zscale"], filters).length === 0;
  return { file, origin, version, library, hasZscale, codecs: readCodecs(codecs) };
}

function missingOf(names: readonly string[], listing: string): string[] {
  const listed = new Set(listing.split("\n").map((line) => line.trim().split(/\s+/)[1]));
  return names.filter((name) => !listed.has(name));
}

async function outputOf(file: string, args: string[]): Promise<string> {
  const options = { env: mediaEnvironment(), timeout: TIMEOUT_MS, maxBuffer: MAX_LISTING_BYTES };
  const { stdout } = await promisify(execFile)(file, args, options);
  return stdout;
}
