import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import { choiceLabel, isDefault, settingOf } from "#contract/job-settings/setting-values.ts";

type Look = StreamSettings<"drawing">;

/** Returns the caption style and everything that differs from its default. */
export function describeCaptionLook(look: Look): [name: string, value: string][] {
  const isChanged = (...names: (keyof Look)[]) => names.some((name) => !isDefault(name, look[name]));
  const label = (name: keyof Look) => choiceLabel(settingOf(name), look[name]);
  const lower = (name: keyof Look) => label(name).toLowerCase();
  const position = look.caption_y === null ? lower("caption_position") : describeHeight(look.caption_y);
  const facts: [string, string][] = [
    ["Caption style", `${label("caption_style")}, ${position}, ${lower("caption_size")}`],
  ];
  if (isChanged("caption_font", "caption_weight")) {
    facts.push(["Caption font", `${label("caption_font")}, ${lower("caption_weight")}`]);
  }
  if (isChanged("caption_color")) facts.push(["Caption color", look.caption_color]);
  if (look.caption_style === "box" && isChanged("caption_box_color"))
    facts.push(["Caption box", look.caption_box_color]);
  if (look.caption_highlight) facts.push(["Highlighted words", "Between asterisks"]);
  return facts;
}

/** Returns, for example, "62% from the top". */
export function describeHeight(share: number): string {
  return `${Math.round(share * 100)}% from the top`;
}
