/** Settings in responses: always present, and without the request's limits. */
import { z } from "zod";
import { component, named } from "../component.ts";
import type { JobSettings, RowSettings as ChangedSettings, SettingName } from "./job-settings.ts";
import type { Setting, ShapeName } from "./setting-kinds.ts";
import { SETTING_NAMES, settingOf } from "./setting-values.ts";

type VideoSettingName = keyof ChangedSettings;
type Whole<Name extends SettingName> = { [One in Name]: z.ZodType<JobSettings[One]> };
type Optional<Name extends SettingName> = { [One in Name]: z.ZodExactOptional<z.ZodType<JobSettings[One]>> };
type Requested<Name extends SettingName> = { [One in Name]: z.ZodExactOptional<z.ZodType<JobSettings[One] | null>> };

/** Shapes of objects with settings. */
export const settingShapes = {
  whole<Name extends SettingName>(names: readonly Name[]): Whole<NoInfer<Name>> {
    return shapeOf(names, schemaOf) as Whole<Name>;
  },

  optional<Name extends SettingName>(names: readonly Name[]): Optional<NoInfer<Name>> {
    return shapeOf(names, (row) => z.exactOptional(schemaOf(row))) as Optional<Name>;
  },

  /** As in a request: absent or null means the default. */
  requested<Name extends SettingName>(names: readonly Name[]): Requested<NoInfer<Name>> {
    return shapeOf(names, (row) => z.exactOptional(valueOf(row).nullable())) as Requested<Name>;
  },

  /** A row's changes. */
  ofRow<Except extends VideoSettingName = never>(
    except: readonly Except[] = [],
  ): Optional<Exclude<VideoSettingName, Except>> {
    const names = settingsExcept(except).filter((name) => !settingOf(name).isOfWholeJob);
    return settingShapes.optional(names as Exclude<VideoSettingName, Except>[]);
  },
};

export function settingsExcept<Name extends SettingName>(names: readonly Name[]) {
  return SETTING_NAMES.filter((name) => !(names as readonly SettingName[]).includes(name)) as Exclude<
    SettingName,
    Name
  >[];
}

function shapeOf(names: readonly SettingName[], toSchema: (row: Setting) => z.ZodType): object {
  return Object.fromEntries(names.map((name) => [name, toSchema(settingOf(name))]));
}

function schemaOf(row: Setting): z.ZodType {
  const value = valueOf(row);
  return row.default === null ? z.nullable(value) : value;
}

function valueOf(row: Setting): z.ZodType {
  switch (row.kind) {
    case "flag":
      return z.boolean();
    case "choice":
      return row.isNumeric ? z.literal(Object.keys(row.choices).map(Number)) : z.enum(Object.keys(row.choices));
    case "number":
    case "optionalNumber":
    case "gain":
    case "share":
      return z.number();
    case "ids":
    case "list":
    case "requiredList":
      return z.array(z.string());
    case "shape":
      return SHAPES[row.shape];
    case "color":
    case "id":
    case "text":
    case "link":
    case "requiredText":
      return z.string();
  }
}

const RowSettings = component("RowSettings", () => settingShapes.ofRow());

export const JobRow = component("JobRow", () => ({
  link: z.string(),
  settings: z.exactOptional(RowSettings),
  pass: z.record(z.string(), z.string()).exactOptional().describe("Columns that are passed on unchanged."),
  name: z.string().exactOptional().describe("Replaces the source's file name in output names."),
}));

const JobSlot = component("JobSlot", () => ({
  name: z.string(),
  clips: z.array(
    z.object({
      link: z.string(),
      start_seconds: z.number().exactOptional(),
      end_seconds: z.number().nullable().exactOptional().describe("Null or absent means the clip's end."),
      speed: z.number().exactOptional().describe("How fast the clip plays; absent means the job's."),
    }),
  ),
  captions: z
    .array(z.string())
    .exactOptional()
    .describe("Shown instead of the job's captions. Clip n starts with caption n; each variant takes the next."),
}));

const placed = () => ({
  position: valueOf(settingOf("watermark_position")).exactOptional(),
  x: z.number().nullable().exactOptional().describe("The layer's middle, as a share of the frame's width."),
  y: z.number().nullable().exactOptional(),
  size: z
    .number()
    .exactOptional()
    .describe("Letters: a share of the frame's shorter side. Images: a share of its width."),
  opacity: z.number().exactOptional(),
  start_seconds: z.number().exactOptional(),
  end_seconds: z.number().nullable().exactOptional(),
  fade: valueOf(settingOf("caption_fade")).exactOptional(),
});

const JobLayer = named(
  "JobLayer",
  z.lazy(() =>
    z.discriminatedUnion("kind", [
      z.object({
        kind: z.literal("text"),
        text: z.string().describe("With fields, as in name patterns: `{row.price}`."),
        ...placed(),
        style: valueOf(settingOf("caption_style")).exactOptional(),
        font: valueOf(settingOf("caption_font")).exactOptional(),
        weight: valueOf(settingOf("caption_weight")).exactOptional(),
        color: z.string().exactOptional(),
        box_color: z.string().exactOptional(),
      }),
      z.object({
        kind: z.literal("image"),
        image: z.string().describe("A library image's link, or a column with one: `{row.logo}`."),
        ...placed(),
      }),
    ]),
  ),
);

const SHAPES: Record<ShapeName, z.ZodType> = {
  layers: z.array(JobLayer),
  rows: z.array(JobRow),
  slots: z.array(JobSlot),
  combine: z.union([z.enum(["all", "each"]), z.number()]),
  formats: z.array(valueOf(settingOf("format"))).describe("Each file is made in each; empty for `format` alone."),
  exclude: z.array(z.array(z.string()).length(2)).describe("Clips by link, or by slot and number: `Hook 3`."),
};
