/** OpenAI, or any server that speaks its API, through the official package. */
import OpenAI from "openai";
import { explainOpenAiError } from "./openai-errors.ts";

/** Where the API is and which of its models is asked. */
export type OpenAiService = { baseUrl: string; model: string };

/** A service with the operator's key. */
export type OpenAiAccess = OpenAiService & { apiKey: string };

/** What a request cost, for the log. */
export type TokenUse = { inputTokens: number; outputTokens: number };

/** The longest that one try may take; the package tries twice more after 429 and 5xx. */
const LONGEST_TRY_MS = 90_000;
const RETRIES = 2;

/** A client of the service. Everything it could take from the environment is given or switched off. */
export function openAiClient({ apiKey, baseUrl }: Omit<OpenAiAccess, "model">): OpenAI {
  return new OpenAI({
    apiKey,
    baseURL: baseUrl,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: RETRIES,
    timeout: LONGEST_TRY_MS,
    // Whatever there is to say is said by our own log, without prompts and keys.
    logLevel: "off",
  });
}

/** Runs one call; what it throws becomes a ClipmillError in plain words, for the signal too. */
export async function callOpenAi<Result>(signal: AbortSignal, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw explainOpenAiError(error, signal);
  }
}

/** The models the key may use, by id. Throws ClipmillError, also for a key that is refused. */
export function listOpenAiModels(access: Omit<OpenAiAccess, "model">, signal: AbortSignal): Promise<string[]> {
  return callOpenAi(signal, async () => {
    const page = await openAiClient(access).models.list({ signal });
    return page.data.map((model) => model.id);
  });
}
