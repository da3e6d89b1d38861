import { ClipmillError, type ErrorDetails } from "#contract/errors.ts";

// yt-dlp always exits with 1, so only stderr shows the cause. These are fixed phrases of Python and yt-dlp.
const LIMITED = /HTTP Error 429|Too Many Requests/i;
const AWAY =
  /HTTP Error 5\d\d|TransportError|timed out|name resolution|Name or service not known|Connection (?:refused|reset|aborted)|Network is unreachable|No route to host|RemoteDisconnected|IncompleteRead/i;

export function explainYtDlpFailure(details: ErrorDetails & { tail: string }): ClipmillError {
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
