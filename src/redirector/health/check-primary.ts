import { type Dispatcher, request } from "undici";
import { codeOf } from "#ground/error-code.ts";
import { ForbiddenAddressError } from "#ground/public-address.ts";

const MOST_SECONDS = 5;

export type CheckResult = { kind: "success" } | { kind: "failure"; reason: string } | { kind: "internal" };

/**
 * Does not follow redirects or read the body. Any response within 5 seconds means up, except 404, 410 and 5xx: many
 * healthy sites reject clients that are not browsers.
 */
export async function checkPrimary(url: string, dispatcher: Dispatcher): Promise<CheckResult> {
  try {
    const answer = await request(url, {
      dispatcher,
      headers: { "user-agent": "Clipmill health check", accept: "*/*" },
      signal: AbortSignal.timeout(MOST_SECONDS * 1000),
    });
    answer.body.on("error", () => {});
    answer.body.destroy();
    const { statusCode: status } = answer;
    const isUp = status < 500 && status !== 404 && status !== 410;
    return isUp ? { kind: "success" } : { kind: "failure", reason: `It returned ${status}.` };
  } catch (error) {
    if (error instanceof ForbiddenAddressError) return { kind: "internal" };
    return { kind: "failure", reason: explain(error) };
  }
}

function explain(error: unknown): string {
  if (error instanceof DOMException && error.name === "TimeoutError")
    return `No response within ${MOST_SECONDS} seconds.`;
  const code = codeOf(error) ?? "unknown";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "Its host name could not be resolved.";
  if (code === "ECONNREFUSED") return "It refused the connection.";
  if (/^(CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) return "Its certificate is not valid.";
  return `It could not be reached (${code}).`;
}
