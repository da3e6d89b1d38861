import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai";
import { ClipmillError, type ErrorCode } from "#contract/errors.ts";
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
    throw explainError(error, server, signal);
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

// Explains errors without the servers' own messages, which may quote the key or the prompt.

/** `ofOthers` follows the name of another server; null if the sentence fits it, too. */
type Explanation = [code: ErrorCode, sentence: string, ofOthers: string | null];

const CANCELLED: Explanation = ["cancelled", "Caption generation was canceled.", null];
const TOO_SLOW: Explanation = [
  "unavailable",
  "OpenAI did not respond in time. Try again.",
  "did not respond in time. Check it, then try again.",
];
const UNREACHABLE: Explanation = [
  "network",
  "OpenAI could not be reached. Check the server's network connection.",
  "could not be reached. Check its address in Settings.",
];
const BAD_KEY: Explanation = [
  "invalid",
  "OpenAI rejected the API key. Check your OpenAI API key in settings.",
  "rejected the key. Check it in Settings.",
];
const NOT_ALLOWED: Explanation = [
  "invalid",
  "OpenAI does not allow this API key to do that. Check its permissions.",
  "does not allow this key to do that. Check the key in Settings.",
];
const NO_CREDIT: Explanation = [
  "invalid",
  "Your OpenAI account has no credit left. Add credit, then try again.",
  "reports that your account has no credit left. Add credit, then try again.",
];
const LIMITED: Explanation = [
  "rate_limited",
  "OpenAI is limiting requests. Wait a minute, then try again.",
  "is limiting requests. Wait a minute, then try again.",
];
const NO_MODEL: Explanation = [
  "invalid",
  "This OpenAI account has no access to the model. Set OPENAI_MODEL to another one.",
  "does not have the model. Choose another one in Settings.",
];
const TOO_LONG: Explanation = [
  "invalid",
  "The request is too long for the model. Use a shorter prompt or fewer captions.",
  null,
];
const CUT: Explanation = ["invalid", "The response was longer than the model allows. Request fewer captions.", null];
const REFUSED: Explanation = [
  "invalid",
  "OpenAI refused this request because of its content.",
  "refused this request because of its content.",
];
const NOT_UNDERSTOOD: Explanation = [
  "invalid",
  "OpenAI rejected this request. Check OPENAI_MODEL and OPENAI_BASE_URL.",
  "rejected this request. Check its address and model in Settings.",
];
const BROKEN: Explanation = [
  "unavailable",
  "OpenAI is having problems right now. Try again later.",
  "did not respond as expected. Check it, then try again.",
];
const UNREADABLE: Explanation = [
  "unavailable",
  "OpenAI returned an unreadable response. Try again.",
  "did not respond as expected. Check it, then try again.",
];
const NO_WORD_TIMES: Explanation = [
  "invalid",
  "OpenAI returned no times of words. Choose another transcription model.",
  "returned no times of words. Choose another transcription model.",
];

/** The server may not support the form of the request or of the response. */
const FAULTS_OF_FORM = new Set([NOT_UNDERSTOOD, UNREADABLE]);

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

/** A response that cannot be used. */
class ResponseFault extends Error {
  readonly explanation: Explanation;

  constructor(explanation: Explanation) {
    super(explanation[1]);
    this.name = "ResponseFault";
    this.explanation = explanation;
  }
}

export const responseFaults = {
  refused: () => new ResponseFault(REFUSED),
  cut: () => new ResponseFault(CUT),
  unreadable: () => new ResponseFault(UNREADABLE),
  noWordTimes: () => new ResponseFault(NO_WORD_TIMES),
};

function explainError(error: unknown, { name }: ModelServer, signal: AbortSignal): ClipmillError {
  const explanation = findExplanation(error, signal);
  const [code, sentence, ofOthers] = explanation;
  const message = name === null || ofOthers === null ? sentence : `${name} ${ofOthers}`;
  return new ClipmillError(code, message, {
    facts: { service: "openai", ...factsOf(error), ...(FAULTS_OF_FORM.has(explanation) && { isFaultOfForm: true }) },
    retryAfterSeconds: error instanceof APIError ? retryAfterSeconds(error.headers) : null,
  });
}

function findExplanation(error: unknown, signal: AbortSignal): Explanation {
  if (error instanceof ResponseFault) return error.explanation;
  if (signal.aborted) return isTimeout(signal.reason) ? TOO_SLOW : CANCELLED;
  if (error instanceof APIConnectionTimeoutError) return TOO_SLOW;
  if (error instanceof APIConnectionError) return UNREACHABLE;
  if (!(error instanceof APIError)) return UNREADABLE;
  const { status, code, type } = error as APIError;
  const known = BY_CODE[code ?? ""] ?? BY_CODE[type ?? ""] ?? BY_STATUS[status ?? 0];
  return known ?? ((status ?? 500) >= 500 ? BROKEN : NOT_UNDERSTOOD);
}

function factsOf(error: unknown): Record<string, unknown> {
  if (error instanceof ResponseFault) return {};
  if (!(error instanceof APIError)) return { thrown: error instanceof Error ? error.name : typeof error };
  const { status, code, type, requestID } = error as APIError;
  return { status, code, type, requestId: requestID };
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === "TimeoutError";
}

function retryAfterSeconds(headers: Headers | undefined): number | null {
  const seconds = Number(headers?.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
