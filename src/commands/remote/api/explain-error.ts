import { ClipmillError, type ErrorCode } from "#contract/errors.ts";
import { codeOf } from "#ground/error-code.ts";

const CERTIFICATE_ERRORS: Record<string, string> = {
  CERT_HAS_EXPIRED: "has expired",
  CERT_NOT_YET_VALID: "is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "is signed by an unknown authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "is signed by an unknown authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "is signed by an unknown authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "is for another address",
};

const UNREACHABLE: Record<string, string> = {
  ENOTFOUND: "This host name does not exist",
  EAI_AGAIN: "The host name could not be looked up",
  ECONNREFUSED: "Nothing is listening there",
  EHOSTUNREACH: "The host cannot be reached",
  ENETUNREACH: "The network cannot be reached",
  ETIMEDOUT: "The host does not respond",
  UND_ERR_CONNECT_TIMEOUT: "The host does not respond",
};

const NO_HTTPS = new Set(["EPROTO", "ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_PACKET_LENGTH_TOO_LONG"]);

/** True if the request never reached the server and can be repeated, whatever it does. */
export function wasNeverSent(error: unknown): boolean {
  return Object.hasOwn(UNREACHABLE, systemCodeOf(error));
}

export function mayPass(error: unknown): boolean {
  const code = systemCodeOf(error);
  return !Object.hasOwn(CERTIFICATE_ERRORS, code) && !NO_HTTPS.has(code);
}

export function explainNoResponse(error: unknown, server: string): ClipmillError {
  const code = systemCodeOf(error);
  const details = { cause: error };
  const certificate = Object.hasOwn(CERTIFICATE_ERRORS, code) ? CERTIFICATE_ERRORS[code] : undefined;
  if (certificate !== undefined) {
    const remedy = "If you trust it, set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority";
    return new ClipmillError("network", `The certificate of ${server} ${certificate}. ${remedy}.`, details);
  }
  if (NO_HTTPS.has(code)) {
    return new ClipmillError("network", `${server} does not respond to https. Is its address http://…?`, details);
  }
  const reason = Object.hasOwn(UNREACHABLE, code)
    ? UNREACHABLE[code]!
    : error instanceof Error && error.name === "TimeoutError"
      ? "It did not respond in time"
      : "The connection was lost";
  return new ClipmillError(
    "network",
    `${server} could not be reached. ${reason}. Check the address and that Clipmill is running.`,
    details,
  );
}

const CODES: Record<number, ErrorCode> = {
  400: "invalid",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  406: "not_found",
  409: "conflict",
  413: "too_large",
  422: "invalid",
  429: "too_many",
  507: "no_space",
};

/** Explains a response outside 2xx with the body `text`. Names `path` if the server is too old for it. */
export function explainResponse(
  { status, headers }: Pick<Response, "status" | "headers">,
  text: string,
  { server, path }: { server: string; path: string },
): ClipmillError {
  if (status >= 300 && status < 400) return explainRedirect(headers.get("location"), server);
  const problem = parseProblem(text);
  if (problem === null) return notClipmill(server, status);
  const { sentence, isOfKey } = problem;
  const code = isOfKey ? "key_reused" : (CODES[status] ?? (status >= 500 ? "unavailable" : "internal"));
  if (status === 401) {
    return new ClipmillError(code, `${sentence} Run \`clipmill login ${server}\`, or set CLIPMILL_TOKEN.`);
  }
  if (status === 403) {
    return new ClipmillError(code, `${sentence} Create a token with this scope in Settings of ${server}.`);
  }
  if (status === 404 && sentence.startsWith("There is nothing at")) return notClipmill(server, status);
  if (status === 404 && sentence.startsWith("There is no function")) {
    return new ClipmillError(
      code,
      `${server} is older than this command: it does not have ${path}. Upgrade Clipmill there.`,
    );
  }
  return new ClipmillError(code, sentence);
}

export function notClipmill(server: string, status: number): ClipmillError {
  const sentence = `There is no Clipmill at ${server}, or a proxy in front of it does not work (status ${status}). Check the address.`;
  return new ClipmillError(status >= 500 ? "unavailable" : "not_found", sentence);
}

function explainRedirect(location: string | null, server: string): ClipmillError {
  const target = location === null ? null : URL.parse(location, server);
  const remedy = target && target.origin !== new URL(server).origin ? ` Use ${target.origin} instead.` : "";
  // Following it could send the token to another host.
  return new ClipmillError("network", `${server} redirects to another address.${remedy}`);
}

/** Functions return `{error}`, tables `{message}`, sign-in `{msg}`. */
function parseProblem(text: string): { sentence: string; isOfKey: boolean } | null {
  try {
    const body = JSON.parse(text) as Record<string, unknown> | null;
    const message = body?.["error"] ?? body?.["message"] ?? body?.["msg"];
    if (typeof message !== "string" || message === "") return null;
    return { sentence: message.replace(/(?<![.!?])$/, "."), isOfKey: body?.["code"] === "key_reused" };
  } catch {
    return null;
  }
}

/** `fetch` wraps the system's error, and several if a name has several addresses. */
function systemCodeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return systemCodeOf(error.errors[0]);
  const code = codeOf(error);
  if (code !== null) return code;
  return error instanceof Error && error.cause !== undefined ? systemCodeOf(error.cause) : "";
}
