/**
 * yt-dlp always exits with 1, so only stderr shows the cause. Phrases of yt-dlp 2026.08.19 (extractor/common.py,
 * youtube/_video.py, tiktok.py, vimeo.py, YoutubeDL.py) and of YouTube itself.
 */
import { ClipmillError, type ErrorCode, type ErrorDetails } from "#contract/errors.ts";

/** The first match decides: a bot check, for example, also mentions signing in. */
const REFUSALS: readonly [pattern: RegExp, code: ErrorCode, sentence: (site: string) => string][] = [
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
export function explainSiteFailure(site: string, details: ErrorDetails & { tail: string }): ClipmillError {
  const errors = details.tail.split("\n").filter((line) => line.startsWith("ERROR:"));
  const [, code, sentence] = REFUSALS.find(([pattern]) => pattern.test(errors.join("\n") || details.tail)) ?? [];
  if (code && sentence) return new ClipmillError(code, sentence(site), details);
  return new ClipmillError("source_not_found", `yt-dlp could not read this ${site} video. Update yt-dlp.`, details);
}
