import type OpenAI from "openai";
import type { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import { callModel, type ChatAccess, responseFaults, type TokenUsage } from "./openai.ts";

export type StructuredQuestion<Result> = {
  instructions: string;
  content: OpenAI.ChatCompletionContentPart[];
  /** Of the response, which has only the field `name`: JSON schema, and how it is read. */
  name: string;
  schema: Record<string, unknown>;
  response: z.ZodType<Result>;
};

/**
 * Requests a response in a JSON schema. Servers other than OpenAI's may ignore or reject schemas and lists of parts: their
 * instructions contain the schema, too, and a second request has neither. Throws ClipmillError.
 */
export async function askStructured<Result>(
  access: ChatAccess,
  question: StructuredQuestion<Result>,
  signal: AbortSignal,
): Promise<{ result: Result; use: TokenUsage }> {
  try {
    return await ask(access, toRequest(access, question), question.response, signal);
  } catch (error) {
    const isFaultOfForm = error instanceof ClipmillError && error.facts.isFaultOfForm === true;
    if (access.name === null || !isFaultOfForm) throw error;
    return await ask(access, toPlainRequest(access, question), question.response, signal);
  }
}

type ChatRequest = OpenAI.ChatCompletionCreateParamsNonStreaming;

async function ask<Result>(
  access: ChatAccess,
  request: ChatRequest,
  response: z.ZodType<Result>,
  signal: AbortSignal,
): Promise<{ result: Result; use: TokenUsage }> {
  return await callModel(access, signal, async (client) => {
    const completion = await client.chat.completions.create(request, { signal });
    const use = {
      inputTokens: completion.usage?.prompt_tokens ?? 0,
      outputTokens: completion.usage?.completion_tokens ?? 0,
    };
    return { result: readResponse(completion, response), use };
  });
}

function toRequest<Result>(access: ChatAccess, question: StructuredQuestion<Result>): ChatRequest {
  const { instructions, content, name } = question;
  return {
    model: access.model,
    messages: [
      { role: "system", content: access.name === null ? instructions : withSchema(question) },
      { role: "user", content },
    ],
    response_format: { type: "json_schema", json_schema: { name, strict: true, schema: objectSchema(question) } },
  };
}

function toPlainRequest<Result>(access: ChatAccess, question: StructuredQuestion<Result>): ChatRequest {
  const texts = question.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const isText = texts.length === question.content.length;
  return {
    model: access.model,
    messages: [
      { role: "system", content: withSchema(question) },
      { role: "user", content: isText ? texts.join("\n") : question.content },
    ],
  };
}

function objectSchema<Result>({ name, schema }: StructuredQuestion<Result>): Record<string, unknown> {
  return { type: "object", properties: { [name]: schema }, required: [name], additionalProperties: false };
}

function withSchema<Result>(question: StructuredQuestion<Result>): string {
  const rule = "Respond only with JSON of this schema, without any other text:";
  return `${question.instructions}\n\n${rule}\n${JSON.stringify(objectSchema(question))}`;
}

function readResponse<Result>(completion: OpenAI.ChatCompletion, response: z.ZodType<Result>): Result {
  // A compatible server may omit fields that the type promises.
  const choice = completion.choices?.[0];
  if (!choice) throw responseFaults.unreadable();
  if (choice.message.refusal || choice.finish_reason === "content_filter") throw responseFaults.refused();
  if (choice.finish_reason === "length") throw responseFaults.cut();
  const parsed = response.safeParse(parseJson(choice.message.content ?? ""));
  if (!parsed.success) throw responseFaults.unreadable();
  return parsed.data;
}

/** Models put JSON into code blocks, after thoughts or between sentences. */
function parseJson(text: string): unknown {
  const said = text.replace(/^\s*<think>.*?<\/think>/su, "");
  try {
    return JSON.parse(said.slice(said.indexOf("{"), said.lastIndexOf("}") + 1));
  } catch {
    return null;
  }
}
