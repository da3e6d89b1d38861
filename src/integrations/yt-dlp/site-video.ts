import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { ClipmillError, type ErrorCode, type ErrorDetails } from "#contract/errors.ts";
import type { SiteVideo } from "#contract/sources/hosts/video-sites.ts";
import { tooLarge } from "../sources/save-source.ts";
import { runYtDlp, type YtDlp } from "./run-yt-dlp.ts";

/** For --use-extractors. */
const SITE_EXTRACTORS: Readonly<Record<string, string>> = {
  youtube: "youtube",
  tiktok: "tiktok,vm.tiktok",
  vimeo: "vimeo",
};

const DESCRIBE_MINUTES = 1;
const DOWNLOAD_MINUTES = 60;
/** yt-dlp often cannot apply its own limit, because stream sizes are unknown. */
const WATCH_MS = 1_000;

/** The shorter side has at most 1080 pixels. Prefers formats that ffmpeg can copy to MP4. */
const FORMATS = ["--format=bestvideo*+bestaudio/best", "--format-sort=res:1080,vcodec:h264,acodec:aac"];

/** Fields of yt-dlp's information dictionary (README, "Output template"). Any may be absent or null. */
const infoSchema = z.object({
  // `video`, or `playlist` for a slideshow
  ["_type"]: z.string().nullish(),
  title: z.string().nullish(),
  duration: z.number().nullish(),
  width: z.number().int().positive().nullish(),
  height: z.number().int().positive().nullish(),
  acodec: z.string().nullish(),
  vcodec: z.string().nullish(),
  filesize: z.number().nullish(),
  live_status: z.string().nullish(),
  thumbnails: z.array(z.object({ url: z.string(), width: z.number().nullish() })).nullish(),
});

type SiteVideoFacts = {
  name: string;
  durationSeconds: number | null;
  /** In pixels; null if either is unknown. */
  size: { width: number; height: number } | null;
  hasSound: boolean;
  sizeBytes: number | null;
  /** At least 160 pixels wide, the smallest first. */
  thumbnailUrls: string[];
};

/** Throws ClipmillError: "no_tool" without yt-dlp, what `explainSiteError` returns, not_a_video and cancelled. */
export async function describeSiteVideo(video: SiteVideo, tool: YtDlp): Promise<SiteVideoFacts> {
  const args = ["--dump-single-json", ...FORMATS];
  return toFacts(video, await run(video, tool, args, DESCRIBE_MINUTES));
}

/** Throws like `describeSiteVideo`, and too_large. */
export async function fetchSiteVideo(
  video: SiteVideo,
  { toPath, maxBytes, ffmpeg, ...tool }: YtDlp & { toPath: string; maxBytes: number; ffmpeg: string },
): Promise<{ name: string }> {
  const folder = `${toPath}.parts`;
  await mkdir(folder);
  const excess = new AbortController();
  const watch = setInterval(() => {
    void bytesIn(folder).then((bytes) => bytes > maxBytes && excess.abort());
  }, WATCH_MS);
  try {
    const args = [
      ...FORMATS,
      // Prints the description before the download.
      ...["--dump-json", "--no-simulate", "--match-filters=!is_live"],
      ...[`--max-filesize=${maxBytes}`, `--ffmpeg-location=${ffmpeg}`, "--no-mtime", "--no-continue"],
      // A percent sign starts a field of yt-dlp's output template.
      `--output=${folder.replaceAll("%", "%%")}/video.%(ext)s`,
    ];
    const signal = AbortSignal.any([tool.signal, excess.signal]);
    const facts = toFacts(video, await run(video, { ...tool, signal }, args, DOWNLOAD_MINUTES));
    const [file, ...others] = await readdir(folder);
    // yt-dlp exits with 0 and writes no file if it is over the limit.
    if (file === undefined || others.length > 0 || (await bytesIn(folder)) > maxBytes) throw tooLarge(maxBytes);
    await rename(path.join(folder, file), toPath);
    return { name: facts.name };
  } catch (error) {
    throw excess.signal.aborted && !tool.signal.aborted ? tooLarge(maxBytes) : error;
  } finally {
    clearInterval(watch);
    await rm(folder, { recursive: true, force: true });
  }
}

function run(video: SiteVideo, tool: YtDlp, args: string[], mostMinutes: number): Promise<string> {
  const { site, label, address } = video;
  const explain = (details: Parameters<typeof explainSiteError>[1]) => explainSiteError(label, details);
  const extractors = SITE_EXTRACTORS[site]!;
  return runYtDlp(tool, { service: label, address, extractors, args, mostMinutes, explain });
}

function toFacts({ label }: SiteVideo, output: string): SiteVideoFacts {
  // yt-dlp prints nothing for a filtered live stream.
  if (output.trim() === "") throw live();
  const info = readInfo(output);
  if (!info) throw new ClipmillError("source_not_found", `yt-dlp could not read this ${label} video. Update yt-dlp.`);
  if (info.live_status === "is_live" || info.live_status === "is_upcoming") throw live();
  if ((info["_type"] ?? "video") !== "video" || info.vcodec === "none") throw noVideo();
  const { width, height } = info;
  const pictures = (info.thumbnails ?? []).toSorted((a, b) => (a.width ?? Infinity) - (b.width ?? Infinity));
  const title = info.title?.trim() || `${label} video`;
  return {
    name: `${title}.mp4`,
    durationSeconds: info.duration ?? null,
    size: width && height ? { width, height } : null,
    hasSound: info.acodec !== "none",
    sizeBytes: info.filesize ?? null,
    thumbnailUrls: pictures.filter((one) => (one.width ?? Infinity) >= 160).map(({ url }) => url),
  };
}

function readInfo(output: string): z.infer<typeof infoSchema> | null {
  try {
    return infoSchema.parse(JSON.parse(output));
  } catch {
    return null;
  }
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(names.map((name) => stat(path.join(folder, name)).catch(() => null)));
  return sizes.reduce((sum, one) => sum + (one?.size ?? 0), 0);
}

function live(): ClipmillError {
  return new ClipmillError("not_a_video", "This is a live stream or a premiere. Add it after it has ended.");
}

function noVideo(): ClipmillError {
  return new ClipmillError("not_a_video", "There is no video at this link, only sound or pictures.");
}

// yt-dlp always exits with 1, so only stderr shows the cause. Phrases of yt-dlp 2026.08.19 (extractor/common.py,
// youtube/_video.py, tiktok.py, vimeo.py, YoutubeDL.py) and of YouTube itself.

/** The first match decides: a bot check, for example, also mentions signing in. */
const ERRORS: readonly [pattern: RegExp, code: ErrorCode, sentence: (site: string) => string][] = [
  [
    /HTTP Error 429|Too Many Requests|rate-limited|not a bot|captcha/i,
    "rate_limited",
    (site) => `${site} is limiting requests from this server. Retry in an hour.`,
  ],
  [
    /HTTP Error 5\d\d|TransportError|timed out|name resolution|Name or service not known|Connection (?:refused|reset|aborted)|Network is unreachable|No route to host|RemoteDisconnected|IncompleteRead/i,
    "network",
    (site) => `${site} could not be reached. Check the network, then retry.`,
  ],
  [
    /confirm your age|age-restricted|inappropriate for some|not be comfortable for some/i,
    "not_shared",
    (site) => `${site} shows this video only to signed-in adults. Use the original file.`,
  ],
  [
    /in your country|geo.?restrict|from your location|IP address is blocked/i,
    "not_shared",
    (site) => `${site} does not show this video in the server's country. Use the original file.`,
  ],
  [
    /private|permission to view/i,
    "not_shared",
    (site) => `This video is private on ${site}. Make it public or unlisted, or use the original file.`,
  ],
  [
    /protected by a password|members-only|log ?in|sign in|registered users|cookies/i,
    "not_shared",
    (site) => `${site} shows this video only after signing in. Use the original file.`,
  ],
  [/DRM protected/i, "not_shared", () => "This video is copy-protected. Use the original file."],
  [
    /live event will begin|premieres in|livestream|not currently live/i,
    "not_a_video",
    () => "This is a live stream or a premiere. Add it after it has ended.",
  ],
  [
    /removed|unavailable|not available|no longer available|isn't available|terminated|does not exist|HTTP Error (?:404|410)/i,
    "source_not_found",
    (site) => `${site} has no video at this link. Check the link.`,
  ],
];

/** If a site has changed, yt-dlp fails on all its videos until it is updated. */
export function explainSiteError(site: string, details: ErrorDetails & { tail: string }): ClipmillError {
  const errors = details.tail.split("\n").filter((line) => line.startsWith("ERROR:"));
  const [, code, sentence] = ERRORS.find(([pattern]) => pattern.test(errors.join("\n") || details.tail)) ?? [];
  if (code && sentence) return new ClipmillError(code, sentence(site), details);
  return new ClipmillError("source_not_found", `yt-dlp could not read this ${site} video. Update yt-dlp.`, details);
}
