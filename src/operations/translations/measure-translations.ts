import type { TextDrawer } from "#media/captions/drawing/text-drawer.ts";
import { DEFAULT_LOOK, shapeOf } from "#media/captions/layout/caption-shape.ts";
import { UPRIGHT } from "#media/captions/layout/frame-areas.ts";
import { roomOfRow } from "#media/captions/layout/lay-out-subtitle.ts";
import type { TranslationTools } from "./translate-texts.ts";

/** Measures texts in a language, in the captions' default look. */
export function measureWith(
  drawer: Pick<TextDrawer, "measureWords">,
  language: string,
  signal: AbortSignal,
): TranslationTools["measure"] {
  return async (texts) => {
    const { widths } = await drawer.measureWords(texts, { ...DEFAULT_LOOK, language }, signal);
    const shape = shapeOf("", DEFAULT_LOOK.style, DEFAULT_LOOK.font);
    return { widths, rowWidth: roomOfRow(DEFAULT_LOOK, shape, UPRIGHT).maxWidth };
  };
}
