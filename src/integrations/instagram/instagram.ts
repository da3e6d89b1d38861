/** Downloads the sound of Instagram posts and reels with yt-dlp, if installed. */
import { rm, stat } from "node:fs/promises";
import { execa } from "execa";
import { ClipmillError } from "#contract/errors.ts";
import { lastLines } from "#contract/last-lines.ts";
import { explainYtDlpFailure } from "./instagram-refusals.ts";

const MAX_DOWNLOAD_MINUTES = 10;
const SOCKET_TIMEOUT_SECONDS = 30;
const MAX_TAIL_CHARACTERS = 2_000;

type InstagramOptions = {
  /** Null to search PATH. */
  ytDlpPath: string | null;
  /** The complete environment of yt-dlp. */
  environment: Record<string, string>;
  /** Removed on failure. */
  toPath: string;
  maxBytes: number;
  signal: AbortSignal;
};

/**
 * Downloads a post's sound to `toPath`, or its video if Instagram has no separate sound. Throws ClipmillError:
 * "no_tool" without yt-dlp, source_not_found, too_large, network, rate_limited and cancelled.
 */
export async function fetchInstagramAudio(
  url: string,
  options: InstagramOptions,
): Promise<{ name: string; sizeBytes: number }> {
  try {
    await runYtDlp(url, options);
    return { name: nameOf(url), sizeBytes: await sizeWithin(options) };
  } catch (error) {
    await rm(options.toPath, { force: true });
    throw error;
  }
}

async function runYtDlp(
  url: string,
  { ytDlpPath, environment, toPath, maxBytes, signal }: InstagramOptions,
): Promise<void> {
  const result = await execa(ytDlpPath ?? "yt-dlp", argumentsFor(url, toPath, maxBytes), {
    env: environment,
    extendEnv: false,
    cancelSignal: signal,
    timeout: MAX_DOWNLOAD_MINUTES * 60_000,
    stdin: "ignore",
    stdout: "ignore",
    maxBuffer: 64 * 1024,
    reject: false,
  });
  if (!result.failed) return;
  if (result.isCanceled) throw new ClipmillError("cancelled", "The download was cancelled.");
  if (result.code === "ENOENT" || result.code === "EACCES") {
    throw new ClipmillError(
      "no_tool",
      "Instagram links need yt-dlp, which is not installed. Install it, or set YT_DLP_PATH to its path.",
      { facts: { ytDlpPath, reason: result.code } },
    );
  }
  const details = { facts: { exitCode: result.exitCode }, tail: lastLines(result.stderr ?? "", MAX_TAIL_CHARACTERS) };
  if (result.timedOut) {
    throw new ClipmillError("network", "The download from Instagram took too long. Retry later.", details);
  }
  throw explainYtDlpFailure(details);
}

/** Restricts yt-dlp to this post: no local settings, playlists or other sites. */
function argumentsFor(url: string, toPath: string, maxBytes: number): string[] {
  return [
    "--ignore-config",
    "--no-playlist",
    "--use-extractors=instagram.*",
    "--format=bestaudio/best",
    `--max-filesize=${maxBytes}`,
    `--socket-timeout=${SOCKET_TIMEOUT_SECONDS}`,
    "--no-cache-dir",
    "--no-part",
    "--no-continue",
    "--force-overwrites",
    "--no-mtime",
    "--no-progress",
    "--no-warnings",
    // A percent sign starts a field of yt-dlp's output template.
    `--output=${toPath.replaceAll("%", "%%")}`,
    "--",
    url,
  ];
}

/** yt-dlp exits with 0 and no file if it is over the limit. */
async function sizeWithin({ toPath, maxBytes }: InstagramOptions): Promise<number> {
  const found = await stat(toPath).catch(() => null);
  if (found && found.size <= maxBytes) return found.size;
  throw new ClipmillError("too_large", "This Instagram audio is larger than Clipmill accepts.", {
    facts: { maxBytes },
  });
}

function nameOf(url: string): string {
  return `instagram-${new URL(url).pathname.split("/").findLast((part) => part !== "") ?? "audio"}`;
}
