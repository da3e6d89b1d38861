import { ClipmillError } from "#contract/errors.ts";
import type { Codec } from "#contract/jobs/jobs.ts";
import { findOnPath } from "#ground/find-program.ts";
import { findBundledFfmpeg, inspectBundledFfmpeg } from "./bundled-ffmpeg.ts";
import { type Ffmpeg, rankFfmpegs } from "./choose-ffmpeg.ts";
import { describeFfmpeg, listFeatures, SUPPORTED_VERSIONS } from "./inspect-ffmpeg.ts";
import type { EncoderInUse } from "./encoder-in-use.ts";

export type MediaTools = Pick<Ffmpeg, "origin" | "version" | "codecs"> & {
  ffmpeg: string;
  hasZscale?: boolean;
  encodesHevc?: boolean;
  /** By codec: a GPU may encode only one of them. Default: software. */
  encoder?: EncoderInUse;
  hevcEncoder?: EncoderInUse;
  /** Seconds without progress before ffmpeg is killed. Default: 60. */
  stallSeconds?: number;
};

type Options = {
  ffmpegPath?: string | undefined;
  /** Replaces the bundled ffmpeg's path; null disables it. */
  bundledFile?: string | null;
  onRejected?: (sentence: string) => void;
};

const INSTALL_COMMANDS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "brew install ffmpeg",
  linux: "apt-get install ffmpeg",
  win32: "winget install ffmpeg",
};

/** Undefined for software. */
export function encoderOf(
  { encoder, hevcEncoder }: Pick<MediaTools, "encoder" | "hevcEncoder">,
  codec: Codec,
): EncoderInUse | undefined {
  return codec === "hevc" ? hevcEncoder : encoder;
}

/**
 * Returns FFMPEG_PATH, or else the better of the first ffmpeg on PATH and the bundled one. Requires a supported version
 * and all features. Throws ClipmillError "no_tool" with the install command.
 */
export async function findMediaTools(options: Options = {}): Promise<MediaTools> {
  const { file, ...found } = await findFfmpeg(options);
  return { ...found, ffmpeg: file };
}

async function findFfmpeg(options: Options): Promise<Ffmpeg> {
  const { ffmpegPath, bundledFile: bundled = findBundledFfmpeg(), onRejected } = options;
  if (ffmpegPath) {
    const found = describeFfmpeg(ffmpegPath, "configured", await listFeatures(ffmpegPath));
    if (typeof found === "string") throw noTool(`FFMPEG_PATH (${ffmpegPath}) cannot be used: ${found}.`);
    return found;
  }
  const rejections: string[] = [];
  const reject = (sentence: string) => {
    rejections.push(sentence);
    onRejected?.(sentence);
  };
  const onPath = findOnPath("ffmpeg");
  const [fromPath, fromPackage] = await Promise.all([
    onPath === null ? null : listFeatures(onPath).then((listings) => describeFfmpeg(onPath, "path", listings)),
    bundled === null ? null : inspectBundledFfmpeg(bundled),
  ]);
  if (bundled !== null && fromPackage === null) reject(changedSentence(bundled));
  if (typeof fromPath === "string") reject(`${onPath} is not used: ${fromPath}.`);
  if (typeof fromPackage === "string") reject(`${bundled} is not used: ${fromPackage}.`);
  const [best] = rankFfmpegs([fromPath, fromPackage].filter((found) => found !== null && typeof found !== "string"));
  if (best) return best;
  throw noTool([...rejections, `Clipmill needs ffmpeg ${SUPPORTED_VERSIONS} with libx264. ${installHint()}`].join(" "));
}

function changedSentence(file: string): string {
  return `${file} is not used: its SHA-256 does not match this Clipmill release. Run npm ci to reinstall it.`;
}

function installHint(): string {
  const command = INSTALL_COMMANDS[process.platform];
  return command ? `Install it with: ${command}` : "Install it and set FFMPEG_PATH.";
}

function noTool(sentence: string): ClipmillError {
  return new ClipmillError("no_tool", sentence);
}
