import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai";
import { ClipmillError, detailsOf, type ErrorCode } from "#contract/errors.ts";
import { fetchPublic } from "./fetch-public.ts";

export type OpenAiService = { baseUrl: string; model: string };

/** `name` starts sentences about a server other than OpenAI's. `isPublicOnly`: connects only to public addresses. */
export type ModelServer = { baseUrl: string; apiKey: string; name: string | null; isPublicOnly: boolean };

export type ChatAccess = ModelServer & { model: string };

export type TokenUsage = { inputTokens: number; outputTokens: number };

/** Per try; the package retries twice after 429 and 5xx. */
const MAX_TRY_MS = 90_000;
const RETRIES = 2;

/** Ignores the OPENAI_* environment variables. */
function openClient({ apiKey, baseUrl, isPublicOnly }: ModelServer): OpenAI {
  return new OpenAI({
    ...(isPublicOnly && { fetch: fetchPublic }),
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

/** Throws ClipmillError with a sentence about the server. */
export async function callModel<Result>(
  server: ModelServer,
  signal: AbortSignal,
  call: (client: OpenAI) => Promise<Result>,
): Promise<Result> {
  try {
    return await call(openClient(server));
  } catch (error) {
    throw aboutServer(server, explainOpenAiError(error, signal));
  }
}

export function listOpenAiModels(server: ModelServer, signal: AbortSignal): Promise<string[]> {
  return callModel(server, signal, async (client) => {
    const page = await client.models.list({ signal });
    return page.data.map((model) => model.id);
  });
}

/** Returns null for a server without a list. Throws ClipmillError. */
export async function listModels(server: ModelServer, signal: AbortSignal): Promise<string[] | null> {
  try {
    return await listOpenAiModels(server, signal);
  } catch (error) {
    if (error instanceof ClipmillError && error.facts.status === 404) return null;
    throw error;
  }
}

// Explains errors without OpenAI's own messages, which may quote the key or the prompt.

/** `facts.form` is set if the form of the request or the response may be the fault. */
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
    return explain(UNREADABLE, { form: "unreadable", thrown: error instanceof Error ? error.name : typeof error });
  const { status, code, type, requestID } = error as APIError;
  const facts = { status, code, type, requestId: requestID };
  const explanation = BY_CODE[code ?? ""] ?? BY_CODE[type ?? ""] ?? BY_STATUS[status ?? 0];
  if (explanation) return explain(explanation, facts, retryAfterSeconds(error.headers));
  if ((status ?? 500) >= 500) return explain(BROKEN, facts);
  return explain(NOT_UNDERSTOOD, { ...facts, form: "rejected" });
}

const OF_OTHERS: Partial<Record<ErrorCode, string>> = {
  network: "could not be reached. Check its address in Settings.",
  rate_limited: "is limiting requests. Wait a minute, then try again.",
  unavailable: "did not respond as expected. Check it, then try again.",
};
const OF_STATUS: Record<number, string> = {
  401: "rejected the key. Check it in Settings.",
  403: "rejected the key. Check it in Settings.",
  404: "does not have the model. Choose another one in Settings.",
};
const OF_FORM = "rejected this request. Check its address and model in Settings.";

/** Messages about OpenAI would mislead operators who use another server. */
function aboutServer({ name }: ModelServer, error: ClipmillError): ClipmillError {
  if (name === null || error.code === "cancelled") return error;
  const { form, status } = error.facts;
  const predicate = form === "rejected" ? OF_FORM : (OF_OTHERS[error.code] ?? OF_STATUS[Number(status)]);
  const sentence = predicate ? `${name} ${predicate}` : error.message.replaceAll("OpenAI", name);
  return new ClipmillError(error.code, sentence, detailsOf(error));
}

export function refusedByModel(): ClipmillError {
  return explain(REFUSED);
}

export function responseTooLong(): ClipmillError {
  return explain(["invalid", "The response was longer than the model allows. Request fewer captions."]);
}

export function unreadableResponse(): ClipmillError {
  return explain(UNREADABLE, { form: "unreadable" });
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
