/** The fonts that captions are drawn with: bundled, so that every machine draws the same. */
import { fileURLToPath } from "node:url";
import { GlobalFonts } from "@napi-rs/canvas";

const FONTS = [
  { family: "Clipmill Caption", file: "@expo-google-fonts/inter/800ExtraBold/Inter_800ExtraBold.ttf" },
  { family: "Clipmill Emoji", file: "@expo-google-fonts/noto-color-emoji/400Regular/NotoColorEmoji_400Regular.ttf" },
];

let isReady = false;

/** The font of a caption at a size in pixels, as a canvas takes it. Registers the fonts the first time. */
export function captionFont(sizePixels: number): string {
  if (!isReady) {
    for (const { family, file } of FONTS) {
      if (!GlobalFonts.registerFromPath(fileURLToPath(import.meta.resolve(file)), family)) {
        throw new Error(`The font ${file} cannot be read.`);
      }
    }
    isReady = true;
  }
  // sans-serif: what the two do not hold (Arabic, Chinese) comes from the machine's own fonts where it has them
  return `${sizePixels}px ${FONTS.map(({ family }) => `"${family}"`).join(", ")}, sans-serif`;
}
