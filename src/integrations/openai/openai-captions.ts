import type OpenAI from "openai";
import { z } from "zod";
import {
  callOpenAi,
  openAiClient,
  type OpenAiAccess,
  type TokenUsage,
  responseTooLong,
  refusedByModel,
  unreadableResponse,
} from "./openai.ts";

export type CaptionQuestion = {
  instructions: string;
  /** The operator's prompt or a transcript. */
  material: string;
  pictures?: readonly Buffer[];
  count: number;
};

const responseSchema = z.object({ captions: z.array(z.string()) });

/** May return more or fewer texts than requested, or duplicates. Throws ClipmillError (see openai-errors.ts). */
export async function requestCaptions(
  access: OpenAiAccess,
  question: CaptionQuestion,
  signal: AbortSignal,
): Promise<{ captions: string[]; use: TokenUsage }> {
  const completion = await callOpenAi(signal, () =>
    openAiClient(access).chat.completions.create(
      {
        model: access.model,
        messages: [
          { role: "system", content: question.instructions },
          { role: "user", content: contentOf(question) },
        ],
        response_format: { type: "json_schema", json_schema: schemaFor(question.count) },
      },
      { signal },
    ),
  );
  const use = {
    inputTokens: completion.usage?.prompt_tokens ?? 0,
    outputTokens: completion.usage?.completion_tokens ?? 0,
  };
  return { captions: readResponse(completion), use };
}

function contentOf({ material, pictures = [] }: CaptionQuestion): OpenAI.ChatCompletionContentPart[] {
  return [
    { type: "text", text: material },
    ...pictures.map((jpeg): OpenAI.ChatCompletionContentPart => {
      const url = `data:image/jpeg;base64,${jpeg.toString("base64")}`;
      // Low detail: the pictures are small and need no tiling.
      return { type: "image_url", image_url: { url, detail: "low" } };
    }),
  ];
}

function schemaFor(count: number) {
  const captions = { type: "array", items: { type: "string" }, minItems: count, maxItems: count };
  const schema = { type: "object", properties: { captions }, required: ["captions"], additionalProperties: false };
  return { name: "captions", strict: true, schema };
}

function readResponse(completion: OpenAI.ChatCompletion): string[] {
  // A compatible server may omit fields that the type promises.
  const choice = completion.choices?.[0];
  if (!choice) throw unreadableResponse();
  if (choice.message.refusal || choice.finish_reason === "content_filter") throw refusedByModel();
  if (choice.finish_reason === "length") throw responseTooLong();
  const parsed = responseSchema.safeParse(parseJson(choice.message.content ?? ""));
  if (!parsed.success) throw unreadableResponse();
  return parsed.data.captions;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
