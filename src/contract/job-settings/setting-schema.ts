import { z } from "zod";
import { OPAQUE_COLOR, TRANSLUCENT_COLOR } from "../colors.ts";
import type { PreviewSettings, RowSettings, SettingName } from "./job-settings.ts";
import { describeSetting } from "./setting-descriptions.ts";
import type { Setting, ShapeName } from "./setting-kinds.ts";
import { JOB_LIMITS } from "../jobs/job-limits.ts";
import { canonicalTag, canonicalTags, LANGUAGE_RULE } from "../jobs/outputs/languages.ts";
import { LEAST_LAYER_SIZE, MOST_TEXT_SIZE } from "../jobs/outputs/layers.ts";
import { withPlatformDefaults } from "../jobs/outputs/platforms.ts";
import { withSwitches } from "../jobs/video-settings.ts";
import { choicesOf, previewSettingNames, roundSetting, settingOf, settingsWhere } from "./setting-values.ts";

/** Absent or null means the default, unless required. */
export function schemaOf(name: SettingName): z.ZodType {
  const row = settingOf(name);
  // Rows can replace a list of videos; the job's rules check that there is one.
  const isRequired = row.kind === "requiredText";
  const accepted = isRequired ? valueSchema(row) : valueSchema(row).nullish();
  const facts = { title: row.label, ...(!isRequired && { default: row.default }) };
  // `meta` must precede `transform`, or the API document omits what the schema accepts.
  return accepted.meta(facts).transform((value) => clean(row, value));
}

/** For a row's settings: absent stays absent. */
function changeSchemaOf(name: SettingName): z.ZodType {
  const row = settingOf(name);
  return valueSchema(row)
    .nullable()
    .meta({ title: row.label })
    .transform((value) => clean(row, value))
    .optional();
}

/** For tools of assistants: with a description, and null only if it is a value. Absent stays absent. */
export function describedSchemaOf(name: SettingName): z.ZodType {
  const row = settingOf(name);
  return offSchema(row)
    .meta({ description: describeSetting(name) })
    .transform((value) => clean(row, value))
    .optional();
}

function rowsSchema() {
  const names = settingsWhere((row) => !row.isOfWholeJob);
  return z
    .array(
      z.strictObject({
        link,
        settings: z
          .strictObject(Object.fromEntries(names.map((name) => [name, changeSchemaOf(name)])))
          .transform((settings) => withSwitches(withPlatformDefaults(settings) as RowSettings))
          .optional(),
        pass: z
          .record(z.string().min(1).max(JOB_LIMITS.rowNameCharacters), z.string().max(JOB_LIMITS.passCharacters))
          .refine(
            (pass) => Object.keys(pass).length <= JOB_LIMITS.passColumns,
            `At most ${JOB_LIMITS.passColumns} columns`,
          )
          .optional(),
        name: z.string().trim().min(1).max(JOB_LIMITS.rowNameCharacters).optional(),
      }),
    )
    .max(JOB_LIMITS.videos);
}

const link = z.string().trim().min(1).max(JOB_LIMITS.linkCharacters);

function slotsSchema() {
  const seconds = z.number().min(0).max(JOB_LIMITS.segmentSeconds);
  const clip = z.strictObject({
    link,
    start_seconds: seconds.optional(),
    end_seconds: seconds.nullish(),
    subtitles: link.nullish(),
    speed: valueSchema(settingOf("speed"))
      .transform((speed) => clean(settingOf("speed"), speed))
      .optional(),
  });
  const caption = z.string().trim().min(1).max(JOB_LIMITS.captionCharacters);
  return z
    .array(
      z.strictObject({
        name: z.string().trim().regex(SLOT_NAME, SLOT_NAME_RULE).max(JOB_LIMITS.slotNameCharacters),
        clips: z.array(clip).max(JOB_LIMITS.clipsOfSlot),
        captions: z.array(caption).max(JOB_LIMITS.captionsOfSlot).optional(),
      }),
    )
    .max(JOB_LIMITS.slots);
}

export function layersSchema(mostCharacters: number) {
  const share = z.number().min(0).max(1);
  const seconds = z.number().min(0).max(JOB_LIMITS.segmentSeconds);
  const placed = {
    position: z.enum(choicesOf("watermark_position")).optional(),
    x: share.nullish(),
    y: share.nullish(),
    opacity: share.optional(),
    start_seconds: seconds.optional(),
    end_seconds: seconds.nullish(),
    fade: z.literal(choicesOf("caption_fade").map(Number)).optional(),
  };
  const text = z.strictObject({
    kind: z.literal("text"),
    text: z.string().trim().max(mostCharacters),
    ...placed,
    size: z.number().min(LEAST_LAYER_SIZE).max(MOST_TEXT_SIZE).optional(),
    style: z.enum(choicesOf("caption_style")).optional(),
    font: z.enum(choicesOf("caption_font")).optional(),
    weight: z.enum(choicesOf("caption_weight")).optional(),
    color: valueSchema(settingOf("caption_color")).optional(),
    box_color: valueSchema(settingOf("caption_box_color")).optional(),
  });
  const image = z.strictObject({
    kind: z.literal("image"),
    image: z.string().trim().max(JOB_LIMITS.linkCharacters),
    ...placed,
    size: z.number().min(LEAST_LAYER_SIZE).max(1).optional(),
  });
  return z.array(z.discriminatedUnion("kind", [text, image])).max(JOB_LIMITS.layers);
}

/** Functions, because the schema of all settings contains the rows'. */
const SHAPES: Record<ShapeName, () => z.ZodType> = {
  rows: rowsSchema,
  slots: slotsSchema,
  combine: () => z.union([z.enum(["all", "each"]), z.int().min(1).max(JOB_LIMITS.videos)], COMBINE_RULE),
  exclude: () => z.array(z.array(link).length(2)).max(JOB_LIMITS.exclusions),
  layers: () => layersSchema(JOB_LIMITS.layerCharacters),
  formats: () => z.array(formatSchema()).transform((formats) => [...new Set(formats)]),
};

function formatSchema() {
  return z.enum(choicesOf("format"));
}

const COMBINE_RULE = `Use "all", "each" or a number from 1 to ${JOB_LIMITS.videos.toLocaleString("en")}`;
/** Fields of name patterns contain the name. */
const SLOT_NAME = /^[^{}:]+$/;
const SLOT_NAME_RULE = "A slot needs a name without braces and colons";

type PreviewShape = { [Name in keyof PreviewSettings]: z.ZodDefault<z.ZodType<PreviewSettings[Name]>> };

/** For calls that draw or measure texts. Absent means the default. */
export const previewSettingsSchema = z.object(
  Object.fromEntries(
    previewSettingNames()
      .map((name) => [name, settingOf(name)] as const)
      .map(([name, row]) => [name, offSchema(row).default(row.default as never)]),
  ) as unknown as PreviewShape,
);

function offSchema(row: Setting): z.ZodType {
  return row.default === null ? valueSchema(row).nullable() : valueSchema(row);
}

function valueSchema(row: Setting): z.ZodType {
  switch (row.kind) {
    case "flag":
      return z.boolean();
    case "choice":
      return row.isNumeric ? z.literal(Object.keys(row.choices).map(Number)) : z.enum(Object.keys(row.choices));
    case "number":
      return (row.isWhole ? z.int() : z.number()).min(row.least).max(row.most);
    case "optionalNumber":
      return z.number().min(row.least).max(row.most);
    case "gain":
      return z.number().min(0).max(1);
    case "share":
      return z
        .number()
        .min(row.least ?? 0)
        .max(1);
    case "color":
      return row.isTranslucent
        ? z.string().regex(TRANSLUCENT_COLOR, "A color must look like #ffcc00, or #ffcc0080 with an opacity")
        : z.string().regex(OPAQUE_COLOR, "A color must look like #ffcc00");
    case "id":
      return z.uuid();
    case "ids":
      return z
        .array(z.uuid())
        .max(row.most)
        .transform((ids) => [...new Set(ids)]);
    case "text":
    case "link":
    case "requiredText":
      return z.string().max(row.maxCharacters);
    case "list":
    case "requiredList":
      return z.array(itemSchema(row)).max(row.most);
    case "shape":
      return SHAPES[row.shape]();
  }
}

function itemSchema(row: Extract<Setting, { kind: "list" | "requiredList" }>): z.ZodType {
  const text = z.string().max(row.maxCharacters);
  return row.kind === "list" && row.of === "language"
    ? text.refine((tag) => canonicalTag(tag) !== null, LANGUAGE_RULE)
    : text;
}

function clean(row: Setting, value: unknown): unknown {
  if (row.kind === "list" && row.of === "language") return canonicalTags((value as string[] | null) ?? row.default);
  if (row.kind === "number" && typeof value === "number") return roundSetting(row, value);
  if (row.kind === "color") return (value as string | null | undefined)?.toLowerCase() ?? row.default;
  if (typeof value === "string" && row.kind !== "choice" && row.kind !== "shape") return value.trim() || row.default;
  if (Array.isArray(value) && row.kind !== "shape")
    return (value as string[]).map((item) => item.trim()).filter((item) => item !== "");
  return value ?? row.default;
}
