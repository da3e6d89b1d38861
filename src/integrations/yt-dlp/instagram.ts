import { rm, stat } from "node:fs/promises";
import { ClipmillError, type ErrorDetails } from "#contract/errors.ts";
import { runYtDlp, type YtDlp } from "./run-yt-dlp.ts";

const MAX_DOWNLOAD_MINUTES = 10;

type InstagramOptions = YtDlp & {
  /** Removed on failure. */
  toPath: string;
  maxBytes: number;
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
    await runYtDlp(options, {
      service: "Instagram",
      address: url,
      extractors: "instagram.*",
      args: argumentsFor(options),
      mostMinutes: MAX_DOWNLOAD_MINUTES,
      explain: explainYtDlpError,
    });
    return { name: nameOf(url), sizeBytes: await sizeWithin(options) };
  } catch (error) {
    await rm(options.toPath, { force: true });
    throw error;
  }
}

function argumentsFor({ toPath, maxBytes }: InstagramOptions): string[] {
  return [
    "--format=bestaudio/best",
    `--max-filesize=${maxBytes}`,
    "--no-part",
    "--no-continue",
    "--force-overwrites",
    "--no-mtime",
    // A percent sign starts a field of yt-dlp's output template.
    `--output=${toPath.replaceAll("%", "%%")}`,
  ];
}

/** yt-dlp exits with 0 and writes no file if it is over the limit. */
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

// yt-dlp always exits with 1, so only stderr shows the cause. These are fixed phrases of Python and yt-dlp.
const LIMITED = /HTTP Error 429|Too Many Requests/i;
const AWAY =
  /HTTP Error 5\d\d|TransportError|timed out|name resolution|Name or service not known|Connection (?:refused|reset|aborted)|Network is unreachable|No route to host|RemoteDisconnected|IncompleteRead/i;

function explainYtDlpError(details: ErrorDetails & { tail: string }): ClipmillError {
  if (LIMITED.test(details.tail)) {
    return new ClipmillError("rate_limited", "Instagram is limiting requests. Retry in a few minutes.", details);
  }
  if (AWAY.test(details.tail)) {
    return new ClipmillError("network", "Instagram could not be reached. Check the network, then retry.", details);
  }
  return new ClipmillError(
    "source_not_found",
    "Instagram did not provide this audio. Check that the post exists and is public, then retry.",
    details,
  );
}
