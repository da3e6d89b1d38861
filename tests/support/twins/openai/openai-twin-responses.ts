import { randomUUID } from "node:crypto";
import type { TwinChat } from "./openai-twin-chat.ts";

export type ApiResponse = { status: number; headers?: Record<string, string>; body: object | string };

function apiError(
  status: number,
  error: { message: string; type: string; code: string | null },
  headers: Record<string, string> = {},
): ApiResponse {
  return {
    status,
    headers: { "x-request-id": `req_${randomUUID()}`, ...headers },
    body: { error: { ...error, param: null } },
  };
}

export const apiErrors = {
  // The real API also quotes the ends of the key.
  badKey: () =>
    apiError(401, {
      message: "Incorrect API key provided: sk-wrong*****key. You can find your API key in your dashboard.",
      type: "invalid_request_error",
      code: "invalid_api_key",
    }),
  noCredit: () =>
    apiError(
      429,
      {
        message: "You exceeded your current quota, please check your plan and billing details.",
        type: "insufficient_quota",
        code: "insufficient_quota",
      },
      { "x-should-retry": "false" },
    ),
  rateLimited: (seconds: number) =>
    apiError(
      429,
      { message: "Rate limit reached for requests", type: "requests", code: "rate_limit_exceeded" },
      { "retry-after": String(seconds), "retry-after-ms": String(seconds * 1_000) },
    ),
  broken: () =>
    apiError(500, {
      message: "The server had an error while processing your request. Sorry about that!",
      type: "server_error",
      code: null,
    }),
  tooLong: () =>
    apiError(400, {
      message: "This model's maximum context length is 128000 tokens. Please reduce the length of the messages.",
      type: "invalid_request_error",
      code: "context_length_exceeded",
    }),
  noModel: (model: string) =>
    apiError(404, {
      message: `The model \`${model}\` does not exist or you do not have access to it.`,
      type: "invalid_request_error",
      code: "model_not_found",
    }),
  unknownUrl: (route: string) =>
    apiError(404, { message: `Invalid URL (${route})`, type: "invalid_request_error", code: null }),
  invalid: (message: string) => apiError(400, { message, type: "invalid_request_error", code: null }),
};

export function modelList(ids: string[]): ApiResponse {
  const data = ids.map((id) => ({ id, object: "model", created: 1_700_000_000, owned_by: "system" }));
  return { status: 200, body: { object: "list", data } };
}

export function completion(
  chat: TwinChat,
  choice: { content?: string; refusal?: string; finishReason?: string },
): ApiResponse {
  const { content = null, refusal = null, finishReason = "stop" } = choice;
  return {
    status: 200,
    headers: { "x-request-id": `req_${randomUUID()}` },
    body: {
      id: `chatcmpl-${randomUUID()}`,
      object: "chat.completion",
      created: 1_700_000_000,
      model: chat.model,
      choices: [
        { index: 0, message: { role: "assistant", content, refusal }, logprobs: null, finish_reason: finishReason },
      ],
      usage: { prompt_tokens: 100 + 85 * chat.pictures.length, completion_tokens: 20 * chat.count, total_tokens: 0 },
    },
  };
}
