/**
 * Guards against SSRF: the configured address is trusted; each redirect must lead to https, an allowed host and a
 * public address.
 */
import type { Readable } from "node:stream";
import { Agent, errors, FormData, request } from "undici";
import { ClipmillError } from "#contract/errors.ts";
import type { SourceRequest } from "#contract/sources/source-host.ts";
import { codeOf } from "#ground/error-code.ts";
import { connectToPublicAddresses, ForbiddenAddressError } from "#ground/public-address.ts";

const MAX_REDIRECTS = 5;
const SILENCE: ReadonlySet<string> = new Set(["UND_ERR_BODY_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT"]);
/** Codes of llhttp, and of undici for invalid headers. */
const UNREADABLE = /^(?:HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_)/;
/** Node's TLS codes, which are OpenSSL's names (tls.md, "X509 certificate error codes"). */
const INVALID_CERTIFICATE = /CERT|UNABLE_TO_VERIFY/;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export type GuardedRequest = SourceRequest & {
  signal: AbortSignal;
  /** Longest time without a byte, in seconds. */
  stallSeconds: number;
};

export type GuardedResponse = {
  status: number;
  headers: Record<string, string | undefined>;
  /** The final URL. May contain a key: never log it. */
  url: URL;
  /** The caller must read or destroy it. */
  body: Readable;
};

const trusted = new Agent();
const guarded = new Agent({ connect: connectToPublicAddresses() });

/**
 * Returns responses of any status. Throws ClipmillError: "network" if the service is unreachable or stalls, "bad_link"
 * for a redirect out of the service, "cancelled" on abort.
 */
export async function guardedFetch(url: URL, options: GuardedRequest): Promise<GuardedResponse> {
  const trustedOrigin = options.baseUrl === null ? null : new URL(options.baseUrl).origin;
  let current = url;
  let isTrusted = current.origin === trustedOrigin;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    if (!isTrusted) checkHop(current, options);
    const response = await send(current, isTrusted, hop === 0 ? options : withoutBody(options));
    const target = redirectTarget(response);
    if (!target || options.returnsRedirects || target.hostname === options.stopAtHost) return response;
    response.body.destroy();
    // Never regained after leaving the configured origin.
    isTrusted = isTrusted && target.origin === trustedOrigin;
    current = target;
  }
  throw new ClipmillError("bad_link", `${options.service} redirected this link too many times.`);
}

export function redirectTarget(response: GuardedResponse): URL | null {
  const location = response.headers.location;
  return REDIRECTS.has(response.status) && location !== undefined ? URL.parse(location, response.url) : null;
}

/** Redirects are followed by a plain GET without content. */
function withoutBody(options: GuardedRequest): GuardedRequest {
  const { json: _json, content: _content, file: _file, method: _method, ...rest } = options;
  return rest;
}

function contentOf({ method, headers = {}, json, content, file }: GuardedRequest) {
  if (file !== undefined) {
    // undici does not recognize Node's own FormData.
    const form = new FormData();
    form.append("file", file.content, file.name);
    return { method: method ?? "POST", headers, body: form };
  }
  if (json === undefined) return { method: method ?? "GET", headers, ...(content !== undefined && { body: content }) };
  return {
    method: method ?? "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(json),
  };
}

async function send(url: URL, isTrusted: boolean, options: GuardedRequest): Promise<GuardedResponse> {
  try {
    const stallMilliseconds = options.stallSeconds * 1000;
    const response = await request(url, {
      dispatcher: isTrusted ? trusted : guarded,
      ...contentOf(options),
      signal: options.signal,
      headersTimeout: stallMilliseconds,
      bodyTimeout: stallMilliseconds,
    });
    // Destroying a body emits the abort as an error; readers still get it.
    response.body.on("error", () => {});
    return { status: response.statusCode, headers: firstValues(response.headers), url, body: response.body };
  } catch (error) {
    throw explainNetworkError(error, options);
  }
}

type Explained = Pick<GuardedRequest, "service" | "signal"> & Partial<Pick<GuardedRequest, "allowedHosts">>;

/** Converts to a ClipmillError without the address. Rethrows errors without a code, which are not network errors. */
export function explainNetworkError(error: unknown, options: Explained): ClipmillError {
  if (error instanceof ClipmillError) return error;
  if (options.signal.aborted) return explainAbort(options);
  if (error instanceof ForbiddenAddressError) return leadsAway(options, { reason: "address" });
  // Not every parser error has a code.
  const reason = codeOf(error) ?? (error instanceof errors.HTTPParserError ? "HPE_UNKNOWN" : null);
  if (reason === null) throw error;
  return new ClipmillError("network", `${options.service} ${describeReason(reason)}`, { facts: { reason } });
}

function describeReason(reason: string): string {
  if (SILENCE.has(reason)) return "stopped sending data. Check the network, then retry.";
  if (UNREADABLE.test(reason)) return "sent an unreadable response. Retry later.";
  if (INVALID_CERTIFICATE.test(reason)) return "has no valid certificate, so nothing was downloaded from it.";
  return "could not be reached. Check the network, then retry.";
}

function explainAbort({ service, signal }: Pick<GuardedRequest, "service" | "signal">): ClipmillError {
  const isOverTime = signal.reason instanceof DOMException && signal.reason.name === "TimeoutError";
  return isOverTime
    ? new ClipmillError("network", `The download from ${service} took too long. Check the network, then retry.`)
    : new ClipmillError("cancelled", "The download was canceled.");
}

function checkHop(url: URL, options: GuardedRequest): void {
  const { allowedHosts } = options;
  const isAllowed =
    allowedHosts === "all" ||
    allowedHosts.some((allowed) =>
      allowed.startsWith("*.") ? url.hostname.endsWith(allowed.slice(1)) : url.hostname === allowed,
    );
  const isPlain = url.username === "" && url.password === "";
  if (url.protocol === "https:" && isAllowed && isPlain) return;
  throw leadsAway(options, { reason: "host", protocol: url.protocol, host: url.hostname });
}

function leadsAway(
  options: Omit<Explained, "signal">,
  facts: Record<string, unknown> & { reason: "address" | "host" },
): ClipmillError {
  return new ClipmillError("bad_link", describeTarget(options, facts.reason), { facts });
}

function describeTarget({ service, allowedHosts }: Omit<Explained, "signal">, reason: "address" | "host"): string {
  if (allowedHosts !== "all") return `This link points outside ${service}, so it was not followed.`;
  return reason === "address"
    ? "This link leads to an address that is not public, so it was not followed. ALLOW_PRIVATE_SOURCES can allow it."
    : "This link leads to an address without https:// or with a password, so it was not followed.";
}

function firstValues(headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
}
