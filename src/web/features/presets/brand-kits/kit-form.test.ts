import { expect, it } from "vitest";
import { settingsOfForm, toKitForm } from "./kit-form.ts";

it("sets a watermark only if the kit has one, and valid colors only", () => {
  const look = {
    caption_font: "sans",
    caption_weight: "bold",
    caption_color: "#ffffff",
    caption_box_color: "#0e0d0cdb",
  };
  const form = toKitForm(null);
  expect(settingsOfForm({ ...form, caption_color: "gold-ish" })).toEqual(look);
  expect(settingsOfForm({ ...form, caption_color: "#FC0", watermark_text: " @acme " })).toEqual({
    ...look,
    caption_color: "#ffcc00",
    ...{ watermark_text: "@acme", watermark_image: null },
    ...{ watermark_position: "top-right", watermark_opacity: 1, watermark_scale: 0.2 },
  });
  const outro_link = "https://clipmill.local/file/d/card";
  expect(settingsOfForm({ ...form, intro_link: " ", outro_link: ` ${outro_link} ` })).toEqual({ ...look, outro_link });
});
