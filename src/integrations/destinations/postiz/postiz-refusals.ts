import { ClipmillError } from "#contract/errors.ts";
import type { SourceAnswer } from "#contract/sources/source-host.ts";

const MAX_REASON = 300;
/** For a 429 without a time. Postiz's limit is per hour. */
const USUAL_WAIT_SECONDS = 10 * 60;
/** Larger numbers are Unix times, smaller ones seconds. */
const FIRST_TIME = 1_000_000_000;

export function explainPostizRefusal(
  answer: Pick<SourceAnswer, "status" | "headers" | "retryAfterSeconds">,
  body: string,
  connection: string,
): ClipmillError {
  const { status } = answer;
  const facts = { status };
  if (status === 401 || status === 403) {
    return new ClipmillError("bad_key", `Postiz rejected the API key of the connection "${connection}".`, { facts });
  }
  if (status === 402) {
    return new ClipmillError(
      "no_space",
      `Postiz rejected the post: the plan of the connection "${connection}" allows no more this month.`,
      { facts },
    );
  }
  if (status === 429) {
    const message = `Postiz is limiting the requests of the connection "${connection}".`;
    return new ClipmillError("rate_limited", message, { facts, retryAfterSeconds: waitOf(answer) });
  }
  if (status === 404 || (status >= 300 && status < 400)) {
    return new ClipmillError(
      "source_not_found",
      `Postiz's API was not found at the address of the connection "${connection}". A self-hosted one is usually at /api.`,
      { facts },
    );
  }
  if (status === 413) return new ClipmillError("too_large", "This file is too large for Postiz.", { facts });
  if (status < 500) {
    const reason = reasonOf(body);
    return new ClipmillError("invalid", reason === null ? "Postiz rejected the post." : `Postiz: ${reason}`, { facts });
  }
  const retryAfterSeconds = answer.retryAfterSeconds;
  return new ClipmillError("unavailable", "Postiz is having problems right now. Retry later.", {
    facts,
    retryAfterSeconds,
  });
}

/** Postiz's documents disagree on the rate-limit headers. */
function waitOf({ headers, retryAfterSeconds }: Pick<SourceAnswer, "headers" | "retryAfterSeconds">): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds;
  const reset = Number(headers["x-ratelimit-reset"] ?? Number.NaN);
  if (!Number.isFinite(reset) || reset <= 0) return USUAL_WAIT_SECONDS;
  return reset < FIRST_TIME ? Math.ceil(reset) : Math.max(1, Math.ceil(reset - Date.now() / 1000));
}

/** Postiz responds with `{"msg": "…"}` or `{"message": …}`, a string or a list. */
function reasonOf(body: string): string | null {
  try {
    const { msg, message } = JSON.parse(body) as { msg?: unknown; message?: unknown };
    const [first] = [msg ?? message].flat();
    if (typeof first !== "string") return null;
    // External text: control characters removed, length limited.
    return (
      first
        .replaceAll(/\p{C}+/gu, " ")
        .trim()
        .slice(0, MAX_REASON) || null
    );
  } catch {
    return null;
  }
}
