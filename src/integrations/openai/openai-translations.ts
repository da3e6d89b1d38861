import { z } from "zod";
import type { ChatAccess, TokenUsage } from "./openai.ts";
import { askStructured } from "./openai-structured.ts";

export type Translation = { id: number; text: string };

const responseSchema = z.object({ translations: z.array(z.object({ id: z.number(), text: z.string() })) });

const ITEM = {
  type: "object",
  properties: { id: { type: "integer" }, text: { type: "string" } },
  required: ["id", "text"],
  additionalProperties: false,
};

/** May omit, repeat or reorder texts, or return unknown ids. Throws ClipmillError. */
export async function requestTranslations(
  access: ChatAccess,
  { instructions, material, count }: { instructions: string; material: string; count: number },
  signal: AbortSignal,
): Promise<{ translations: Translation[]; use: TokenUsage }> {
  const schema = { type: "array", items: ITEM, minItems: count, maxItems: count };
  const content = [{ type: "text" as const, text: material }];
  const asked = { instructions, content, name: "translations", schema, response: responseSchema };
  const { result, use } = await askStructured(access, asked, signal);
  return { translations: result.translations, use };
}
