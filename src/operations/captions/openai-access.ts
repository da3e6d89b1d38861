import { ClipmillError } from "#contract/errors.ts";
import type { OpenAiAccess } from "#integrations/openai/openai.ts";
import type { Context } from "../context.ts";
import { readServiceKey } from "../settings/service-key.ts";

/** Throws ClipmillError "invalid" without a saved key. */
export async function openAiAccess(context: Pick<Context, "db" | "secrets" | "openAi">): Promise<OpenAiAccess> {
  const apiKey = await readServiceKey(context, "openai_key");
  if (apiKey === null) {
    throw new ClipmillError("invalid", "No OpenAI API key is saved. Enter your OpenAI API key in settings.");
  }
  return { ...context.openAi, apiKey };
}
