/** Finds the ffmpeg and ffprobe to use: chosen by what they can do, not by their name. */
import { accessSync, chmodSync, constants, existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { execa } from "execa";
import { ClipmillError } from "#contract/errors.ts";
import type { Encoder } from "./plan/encoder-arguments.ts";

export type MediaTools = {
  ffmpeg: string;
  ffprobe: string;
  /** What ffmpeg calls its version, for the log. */
  version: string;
  /** True when this ffmpeg has zscale: colours are then converted exactly, and HDR becomes SDR. */
  hasZscale?: boolean;
  /** What encodes pictures; the software encoder where not given. */
  encoder?: Encoder;
  /** An ffmpeg that gets no further for so many seconds is ended; a minute where not given. */
  stallSeconds?: number;
};

type Found = { file: string; version: string; hasZscale: boolean };

/** libavutil 57 came with ffmpeg 5.0. Read instead of ffmpeg's own version, which builds from git and distributions spell freely. */
const OLDEST_LIBAVUTIL = 57;
const ENCODERS = ["libx264", "aac", "mjpeg"];
const FILTERS = [
  ...["overlay", "split", "scale", "crop", "fps", "tpad", "format", "setsar", "setparams", "bwdif", "tonemap"],
  ...["aresample", "aformat", "volume", "amix", "alimiter", "pan", "aloop", "apad", "atrim", "afade", "asetpts"],
  ...["silenceremove", "areverse", "premultiply"],
];

const INSTALL_COMMANDS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "brew install ffmpeg",
  linux: "apt-get install ffmpeg",
  win32: "winget install ffmpeg",
};

/**
 * Finds FFMPEG_PATH (`ffmpegPath`), else the first ffmpeg on PATH that is version 5 or newer and has all we use, else the one
 * bundled for this platform; the same for ffprobe. Throws ClipmillError "no_tool" with the command that installs it.
 */
export async function findMediaTools(config: {
  ffmpegPath?: string | undefined;
  ffprobePath?: string | undefined;
}): Promise<MediaTools> {
  const ffmpeg = await findFfmpeg(config.ffmpegPath);
  const ffprobe = await findFfprobe(config.ffprobePath, ffmpeg.file);
  return { ffmpeg: ffmpeg.file, ffprobe, version: ffmpeg.version, hasZscale: ffmpeg.hasZscale };
}

async function findFfmpeg(configured: string | undefined): Promise<Found> {
  if (configured) {
    const found = await inspectFfmpeg(configured);
    if (typeof found === "string") throw noTool(`FFMPEG_PATH (${configured}) cannot be used: ${found}.`);
    return found;
  }
  for (const file of [onPath("ffmpeg"), bundled("@ffmpeg-binary", "ffmpeg")]) {
    const found = file && (await inspectFfmpeg(file));
    if (found && typeof found !== "string") return found;
  }
  throw noTool(`Clipmill needs ffmpeg 5 or newer with libx264. ${installHint()}`);
}

async function findFfprobe(configured: string | undefined, ffmpeg: string): Promise<string> {
  if (configured) {
    if (await isFfprobe(configured)) return configured;
    throw noTool(`FFPROBE_PATH (${configured}) is not an ffprobe that runs.`);
  }
  const besides = path.join(path.dirname(ffmpeg), programName("ffprobe"));
  for (const file of [besides, onPath("ffprobe"), bundled("@ffprobe-installer", "ffprobe")]) {
    if (file && existsSync(file) && (await isFfprobe(file))) return file;
  }
  throw noTool(`Clipmill needs ffprobe 5 or newer. ${installHint()}`);
}

/** What an ffmpeg is, or why it cannot be used. */
async function inspectFfmpeg(file: string): Promise<Found | string> {
  const [about, encoders, filters] = await Promise.all([
    outputOf(file, ["-version"]),
    outputOf(file, ["-hide_banner", "-encoders"]),
    outputOf(file, ["-hide_banner", "-filters"]),
  ]);
  if (about === null || encoders === null || filters === null) return "it does not run";
  if (!isNewEnough(about)) return "it is older than version 5";
  const missing = [...missingOf(ENCODERS, encoders), ...missingOf(FILTERS, filters)];
  if (missing.length > 0) return `it lacks ${missing.join(", ")}`;
  const version = /^ffmpeg version (\S+)/.exec(about)?.[1] ?? "unknown";
  return { file, version, hasZscale: missingOf(["zscale"], filters).length === 0 };
}

async function isFfprobe(file: string): Promise<boolean> {
  const about = await outputOf(file, ["-version"]);
  return about !== null && about.startsWith("ffprobe ") && isNewEnough(about);
}

function isNewEnough(about: string): boolean {
  return Number(/^libavutil\s+(\d+)\./m.exec(about)?.[1] ?? 0) >= OLDEST_LIBAVUTIL;
}

/** Names missing from a listing whose second column is the name, as `-encoders` and `-filters` print it. */
function missingOf(names: readonly string[], listing: string): string[] {
  const listed = new Set(listing.split("\n").map((line) => line.trim().split(/\s+/)[1]));
  return names.filter((name) => !listed.has(name));
}

async function outputOf(file: string, args: string[]): Promise<string | null> {
  const result = await execa(file, args, { stdin: "ignore", stderr: "ignore", reject: false, timeout: 15_000 });
  return result.exitCode === 0 ? result.stdout : null;
}

function onPath(name: string): string | null {
  // PATH is the system's, not a setting of ours
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, programName(name))).find(isExecutable) ?? null;
}

/** The program inside an optional dependency made for this platform. */
function bundled(scope: string, name: string): string | null {
  const require = createRequire(import.meta.url);
  try {
    const manifest = require.resolve(`${scope}/${process.platform}-${process.arch}/package.json`);
    const file = path.join(path.dirname(manifest), programName(name));
    makeExecutable(file);
    return isExecutable(file) ? file : null;
  } catch {
    return null;
  }
}

/** Lets everybody run a program that came out of its package without that right, or with its owner's alone. */
function makeExecutable(file: string): void {
  if ((statSync(file).mode & 0o111) === 0o111) return;
  try {
    chmodSync(file, 0o755);
  } catch {
    // not ours to change; it may still be executable for us
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function programName(name: string): string {
  return process.platform === "win32" ? `${name}.exe` : name;
}

function installHint(): string {
  const command = INSTALL_COMMANDS[process.platform];
  return command ? `Install it with: ${command}` : "Install it and set FFMPEG_PATH and FFPROBE_PATH.";
}

function noTool(sentence: string): ClipmillError {
  return new ClipmillError("no_tool", sentence);
}
