import type OpenAI from "openai";
import type { z } from "zod";
import {
  callOpenAi,
  openAiClient,
  type OpenAiAccess,
  refusedByModel,
  responseTooLong,
  type TokenUsage,
  unreadableResponse,
} from "./openai.ts";

export type StructuredQuestion<Result> = {
  instructions: string;
  content: OpenAI.ChatCompletionContentPart[];
  /** Of the response, which has only the field `name`: JSON schema, and how it is read. */
  name: string;
  schema: Record<string, unknown>;
  response: z.ZodType<Result>;
};

/** Requests a response in a JSON schema, which compatible servers may not follow. Throws ClipmillError. */
export async function askStructured<Result>(
  access: OpenAiAccess,
  { instructions, content, name, schema, response }: StructuredQuestion<Result>,
  signal: AbortSignal,
): Promise<{ result: Result; use: TokenUsage }> {
  const object = { type: "object", properties: { [name]: schema }, required: [name], additionalProperties: false };
  const completion = await callOpenAi(signal, () =>
    openAiClient(access).chat.completions.create(
      {
        model: access.model,
        messages: [
          { role: "system", content: instructions },
          { role: "user", content },
        ],
        response_format: { type: "json_schema", json_schema: { name, strict: true, schema: object } },
      },
      { signal },
    ),
  );
  const use = {
    inputTokens: completion.usage?.prompt_tokens ?? 0,
    outputTokens: completion.usage?.completion_tokens ?? 0,
  };
  return { result: readResponse(completion, response), use };
}

function readResponse<Result>(completion: OpenAI.ChatCompletion, response: z.ZodType<Result>): Result {
  // A compatible server may omit fields that the type promises.
  const choice = completion.choices?.[0];
  if (!choice) throw unreadableResponse();
  if (choice.message.refusal || choice.finish_reason === "content_filter") throw refusedByModel();
  if (choice.finish_reason === "length") throw responseTooLong();
  const parsed = response.safeParse(parseJson(choice.message.content ?? ""));
  if (!parsed.success) throw unreadableResponse();
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
