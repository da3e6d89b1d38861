/** Parses chat requests and finds errors as the real API does. */
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { z } from "zod";

type Picture = { width: number; height: number; bytes: number; color: string };

export type TwinChat = {
  model: string;
  instructions: string;
  text: string;
  pictures: Picture[];
  count: number;
  /** Asked for by `response_format`. */
  hasFormat: boolean;
  /** Null for captions. */
  translation: AskedTranslation | null;
  problems: string[];
};

export type AskedText = {
  id: number;
  text: string;
  terms?: Record<string, string>;
  before?: string;
  after?: string;
  rejected?: { text: string; fault: string };
};
export type AskedTranslation = { language: string; texts: AskedText[] };

const textPart = z.object({ type: z.literal("text"), text: z.string() });
const picturePart = z.object({
  type: z.literal("image_url"),
  image_url: z.object({ url: z.string(), detail: z.enum(["auto", "low", "high"]).optional() }),
});
const listSchema = z.object({
  type: z.literal("array"),
  items: z.object({ type: z.literal("string") }),
  minItems: z.int().optional(),
  maxItems: z.int(),
});
const itemsSchema = z.object({
  type: z.literal("array"),
  items: z.object({
    type: z.literal("object"),
    properties: z.object({
      id: z.object({ type: z.literal("integer") }),
      text: z.object({ type: z.literal("string") }),
    }),
    required: z.tuple([z.literal("id"), z.literal("text")]),
    additionalProperties: z.literal(false),
  }),
  minItems: z.int().optional(),
  maxItems: z.int(),
});
/** A strict schema must require every property and allow no others. */
const captionsSchema = z.object({
  type: z.literal("object"),
  properties: z.object({ captions: listSchema }),
  required: z.tuple([z.literal("captions")]),
  additionalProperties: z.literal(false),
});
const translationsSchema = z.object({
  type: z.literal("object"),
  properties: z.object({ translations: itemsSchema }),
  required: z.tuple([z.literal("translations")]),
  additionalProperties: z.literal(false),
});
const answerSchema = z.union([captionsSchema, translationsSchema]);
const formatSchema = z.object({
  type: z.literal("json_schema"),
  json_schema: z.object({
    name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    strict: z.literal(true),
    schema: answerSchema,
  }),
});
const openAiRequestSchema = z.object({
  model: z.string().min(1),
  messages: z.tuple([
    z.object({ role: z.enum(["system", "developer"]), content: z.string().min(1) }),
    z.object({ role: z.literal("user"), content: z.array(z.union([textPart, picturePart])).min(1) }),
  ]),
  response_format: formatSchema,
});

const DATA_URL = /^data:image\/jpeg;base64,([A-Za-z0-9+/]+=*)$/;

/** What other servers accept: the schema is in the instructions, and a text is no list of parts. */
const plainRequestSchema = z
  .object({
    model: z.string().min(1),
    messages: z.tuple([
      z.object({ role: z.literal("system"), content: z.string().min(1) }),
      z.object({
        role: z.literal("user"),
        content: z.union([
          z.string().transform((text) => [{ type: "text" as const, text }]),
          z.array(z.union([textPart, picturePart])),
        ]),
      }),
    ]),
    response_format: formatSchema.optional(),
  })
  .transform(({ response_format: format, ...request }) => {
    const [{ content }] = request.messages;
    const [described] = /\{.*$/s.exec(content) ?? [];
    const schema = described === undefined ? format?.json_schema.schema : answerSchema.parse(JSON.parse(described));
    return { ...request, schema: schema!, hasFormat: format !== undefined };
  });
const strictRequestSchema = openAiRequestSchema.transform(({ response_format: format, ...request }) => {
  return { ...request, schema: format.json_schema.schema, hasFormat: true };
});

/** `rejected` also rejects lists of parts, and `ignored` returns sentences around the JSON. */
export type Schemas = "followed" | "rejected" | "ignored";

/**
 * Returns an otherwise empty chat with `problems` if the body does not match the schema. Throws SyntaxError if it is not
 * JSON.
 */
export async function readChat(body: Buffer, schemas: Schemas): Promise<TwinChat> {
  const requestSchema = schemas === "followed" ? strictRequestSchema : plainRequestSchema;
  const parsed = requestSchema.safeParse(JSON.parse(body.toString("utf8")));
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    const nothing = { model: "", instructions: "", text: "", pictures: [], count: 0, hasFormat: false };
    return { ...nothing, translation: null, problems };
  }
  const { model, messages, schema, hasFormat } = parsed.data;
  const [system, user] = messages;
  const { properties } = schema;
  const list = "captions" in properties ? properties.captions : properties.translations;
  const text = user.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const chat: TwinChat = {
    model,
    instructions: system.content,
    text,
    pictures: [],
    count: list.maxItems,
    hasFormat,
    translation: "captions" in properties ? null : (JSON.parse(text) as AskedTranslation),
    problems: schemas === "rejected" && hasFormat ? ["response_format is not supported."] : [],
  };
  for (const part of user.content) {
    if (part.type !== "image_url") continue;
    const picture = await decode(part.image_url.url);
    if (picture) chat.pictures.push(picture);
    else chat.problems.push("You uploaded an unsupported image.");
  }
  return chat;
}

export function problemOfChat(chat: TwinChat): string | null {
  return chat.problems[0] ?? null;
}

async function decode(url: string): Promise<Picture | null> {
  const base64 = DATA_URL.exec(url)?.[1];
  if (!base64) return null;
  const bytes = Buffer.from(base64, "base64");
  const image = await loadImage(bytes).catch(() => null);
  if (!image) return null;
  const context = createCanvas(1, 1).getContext("2d");
  context.drawImage(image, 0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return { width: image.width, height: image.height, bytes: bytes.length, color: nameColor(red, green, blue) };
}

function nameColor(...channels: [number, number, number]): string {
  const NAMES = ["black", "blue", "green", "cyan", "red", "magenta", "yellow", "white"];
  const [red, green, blue] = channels.map((value) => (value > 127 ? 1 : 0));
  return NAMES[red! * 4 + green! * 2 + blue!]!;
}
