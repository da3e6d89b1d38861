import type OpenAI from "openai";
import { z } from "zod";
import type { ChatAccess, TokenUsage } from "./openai.ts";
import { askStructured } from "./openai-structured.ts";

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
  access: ChatAccess,
  question: CaptionQuestion,
  signal: AbortSignal,
): Promise<{ captions: string[]; use: TokenUsage }> {
  const { instructions, count } = question;
  const schema = { type: "array", items: { type: "string" }, minItems: count, maxItems: count };
  const asked = { instructions, content: contentOf(question), name: "captions", schema, response: responseSchema };
  const { result, use } = await askStructured(access, asked, signal);
  return { captions: result.captions, use };
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
