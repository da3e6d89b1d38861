import OpenAI from "openai";
import { explainOpenAiError } from "./openai-errors.ts";

export type OpenAiService = { baseUrl: string; model: string };

export type OpenAiAccess = OpenAiService & { apiKey: string };

export type TokenUsage = { inputTokens: number; outputTokens: number };

/** Per try; the package retries twice after 429 and 5xx. */
const MAX_TRY_MS = 90_000;
const RETRIES = 2;

/** Ignores the OPENAI_* environment variables. */
export function openAiClient({ apiKey, baseUrl }: Omit<OpenAiAccess, "model">): OpenAI {
  return new OpenAI({
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

export function listOpenAiModels(access: Omit<OpenAiAccess, "model">, signal: AbortSignal): Promise<string[]> {
  return callOpenAi(signal, async () => {
    const page = await openAiClient(access).models.list({ signal });
    return page.data.map((model) => model.id);
  });
}
