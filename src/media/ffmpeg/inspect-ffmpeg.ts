import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { FfmpegOrigin } from "#contract/settings/system.ts";
import type { Ffmpeg } from "./choose-ffmpeg.ts";
import { readCodecs } from "../probe/formats/codecs.ts";
import { mediaEnvironment } from "../launch/isolation.ts";

/** Those that `npm run test:ffmpegs` tests, and the versions between them. */
export const SUPPORTED_VERSIONS = "5.1 to 9";
/** Major and minor versions of libavutil in ffmpeg 5.1, and the major version in 9.0. */
const OLDEST_LIBRARY = [57, 28] as const;
const NEWEST_LIBRARY = 61;
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
  const version = /^ffmpeg version (\S+)/.exec(about)?.[1] ?? "unknown";
  if (!isSupported(library)) return `it is version ${version}, and Clipmill supports ${SUPPORTED_VERSIONS}`;
  const missing = [...missingOf(ENCODERS, encoders), ...missingOf(FILTERS, filters)];
  if (missing.length > 0) return `it lacks ${missing.join(", ")}`;
  const hasZscale = missingOf(["zscale"], filters).length === 0;
  const encodesHevc = missingOf(["libx265"], encoders).length === 0;
  return { file, origin, version, library, hasZscale, encodesHevc, codecs: readCodecs(codecs) };
}

function isSupported([major = 0, minor = 0]: readonly number[]): boolean {
  const [oldest, oldestMinor] = OLDEST_LIBRARY;
  return major <= NEWEST_LIBRARY && (major > oldest || (major === oldest && minor >= oldestMinor));
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
