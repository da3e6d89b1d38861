import { readColor } from "#contract/colors.ts";
import { JOB_DEFAULTS, pickSettings } from "#contract/job-settings/setting-values.ts";
import { BRAND_SETTINGS, type BrandSettings } from "#contract/presets/preset-settings.ts";
import type { BrandKit } from "#contract/presets/presets.ts";

/** Colors are stored as typed. */
export type KitForm = { name: string } & Required<BrandSettings>;

const OPAQUE_LENGTH = 7;

/** Creates a new kit's form for null. Unset values get the job form's defaults. */
export function toKitForm(kit: BrandKit | null): KitForm {
  return { name: kit?.name ?? "", ...pickSettings(JOB_DEFAULTS, BRAND_SETTINGS), ...kit?.settings };
}

/** Returns null for invalid colors. Text colors have no opacity. */
export function readKitColor(name: "caption_color" | "caption_box_color", typed: string): string | null {
  const color = readColor(typed);
  return color !== null && (name === "caption_box_color" || color.length === OPAQUE_LENGTH) ? color : null;
}

/** Leaves presets their own watermark if there is no logo or text, and their own layers and clips if there are none. */
export function settingsOfForm(form: KitForm): BrandSettings {
  const watermark_text = form.watermark_text?.trim() || null;
  const { caption_font, caption_weight } = form;
  const layers = filledLayers(form);
  const intro_link = form.intro_link?.trim() || null;
  const outro_link = form.outro_link?.trim() || null;
  const look = {
    ...(intro_link !== null && { intro_link }),
    ...(outro_link !== null && { outro_link }),
    ...(layers.length > 0 && { layers }),
    caption_font,
    caption_weight,
    caption_color: readKitColor("caption_color", form.caption_color) ?? JOB_DEFAULTS.caption_color,
    caption_box_color: readKitColor("caption_box_color", form.caption_box_color) ?? JOB_DEFAULTS.caption_box_color,
  };
  if (watermark_text === null && form.watermark_image === null) return look;
  const { watermark_image, watermark_position, watermark_opacity, watermark_scale } = form;
  return { ...look, watermark_text, watermark_image, watermark_position, watermark_opacity, watermark_scale };
}

/** A new layer is empty at first. */
export function filledLayers({ layers }: Pick<KitForm, "layers">): KitForm["layers"] {
  return layers.filter((layer) => (layer.kind === "text" ? layer.text : layer.image).trim() !== "");
}
