import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai";
import { ClipmillError, type ErrorCode } from "#contract/errors.ts";

export type OpenAiService = { baseUrl: string; model: string };

export type OpenAiAccess = OpenAiService & { apiKey: string };

export type TokenUsage = { inputTokens: number; outputTokens: number };

/** Per try; the package retries twice after 429 and 5xx. */
const MAX_TRY_MS = 90_000;
const RETRIES = 2;

type OpenAiAddress = Omit<OpenAiAccess, "model"> & { fetch?: typeof globalThis.fetch };

/** Ignores the OPENAI_* environment variables. */
export function openAiClient({ apiKey, baseUrl, fetch }: OpenAiAddress): OpenAI {
  return new OpenAI({
    ...(fetch && { fetch }),
    apiKey,
    baseURL: baseUrl,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: RETRIES,
    timeout: MAX_TRY_MS,
    // Clipmill writes its own log, without prompts and keys.
    logLevel: "off",
  });
}

export async function callOpenAi<Result>(signal: AbortSignal, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw explainOpenAiError(error, signal);
  }
}

export function listOpenAiModels(access: OpenAiAddress, signal: AbortSignal): Promise<string[]> {
  return callOpenAi(signal, async () => {
    const page = await openAiClient(access).models.list({ signal });
    return page.data.map((model) => model.id);
  });
}

// Explains errors without OpenAI's own messages, which may quote the key or the prompt.

type Explanation = [code: ErrorCode, sentence: string];

const CANCELLED: Explanation = ["cancelled", "Caption generation was canceled."];
const TOO_SLOW: Explanation = ["unavailable", "OpenAI did not respond in time. Try again."];
const UNREACHABLE: Explanation = ["network", "OpenAI could not be reached. Check the server's network connection."];
const BAD_KEY: Explanation = ["invalid", "OpenAI rejected the API key. Check your OpenAI API key in settings."];
const NOT_ALLOWED: Explanation = ["invalid", "OpenAI does not allow this API key to do that. Check its permissions."];
const NO_CREDIT: Explanation = ["invalid", "Your OpenAI account has no credit left. Add credit, then try again."];
const LIMITED: Explanation = ["rate_limited", "OpenAI is limiting requests. Wait a minute, then try again."];
const NO_MODEL: Explanation = [
  "invalid",
  "This OpenAI account has no access to the model. Set OPENAI_MODEL to another one.",
];
const TOO_LONG: Explanation = [
  "invalid",
  "The request is too long for the model. Use a shorter prompt or fewer captions.",
];
const REFUSED: Explanation = ["invalid", "OpenAI refused this request because of its content."];
const NOT_UNDERSTOOD: Explanation = [
  "invalid",
  "OpenAI rejected this request. Check OPENAI_MODEL and OPENAI_BASE_URL.",
];
const BROKEN: Explanation = ["unavailable", "OpenAI is having problems right now. Try again later."];
const UNREADABLE: Explanation = ["unavailable", "OpenAI returned an unreadable response. Try again."];

const BY_CODE: Record<string, Explanation> = {
  insufficient_quota: NO_CREDIT,
  billing_hard_limit_reached: NO_CREDIT,
  invalid_api_key: BAD_KEY,
  model_not_found: NO_MODEL,
  context_length_exceeded: TOO_LONG,
  string_above_max_length: TOO_LONG,
  content_policy_violation: REFUSED,
  content_filter: REFUSED,
};

const BY_STATUS: Record<number, Explanation> = {
  401: BAD_KEY,
  402: NO_CREDIT,
  403: NOT_ALLOWED,
  404: NO_MODEL,
  408: TOO_SLOW,
  413: TOO_LONG,
  429: LIMITED,
};

function explainOpenAiError(error: unknown, signal: AbortSignal): ClipmillError {
  if (error instanceof ClipmillError) return error;
  if (signal.aborted) return explain(isTimeout(signal.reason) ? TOO_SLOW : CANCELLED);
  if (error instanceof APIConnectionTimeoutError) return explain(TOO_SLOW);
  if (error instanceof APIConnectionError) return explain(UNREACHABLE);
  if (!(error instanceof APIError))
    return explain(UNREADABLE, { thrown: error instanceof Error ? error.name : typeof error });
  const { status, code, type, requestID } = error as APIError;
  const facts = { status, code, type, requestId: requestID };
  const explanation = BY_CODE[code ?? ""] ?? BY_CODE[type ?? ""] ?? BY_STATUS[status ?? 0];
  if (explanation) return explain(explanation, facts, retryAfterSeconds(error.headers));
  return explain((status ?? 500) >= 500 ? BROKEN : NOT_UNDERSTOOD, facts);
}

export function refusedByModel(): ClipmillError {
  return explain(REFUSED);
}

export function responseTooLong(): ClipmillError {
  return explain(["invalid", "The response was longer than the model allows. Request fewer captions."]);
}

export function unreadableResponse(): ClipmillError {
  return explain(UNREADABLE);
}

function explain(
  [code, sentence]: Explanation,
  facts: Record<string, unknown> = {},
  retryAfter: number | null = null,
): ClipmillError {
  return new ClipmillError(code, sentence, { facts: { service: "openai", ...facts }, retryAfterSeconds: retryAfter });
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === "TimeoutError";
}

function retryAfterSeconds(headers: Headers | undefined): number | null {
  const seconds = Number(headers?.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
