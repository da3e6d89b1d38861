import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import { differsByPart } from "#contract/jobs/outputs/layer-rules.ts";
import {
  completeImage,
  completeText,
  type ImageLayer,
  type Layer,
  type TextLayer,
} from "#contract/jobs/outputs/layers.ts";
import type { ImagePlacement } from "../captions/layout/place-image.ts";
import type { DrawingSpec, LayerTimes, TimelineLayer } from "./render-plan.ts";

const ALWAYS: LayerTimes = { startSeconds: 0, endSeconds: null, fadeMs: 0 };

/** Collects the drawings of a video's outputs, each once. Layers are for `RenderRequest.outputs`. */
export function createDrawings(known: readonly DrawingSpec[] = []) {
  const drawings = [...known];
  const places = new Map(known.map((spec, place) => [JSON.stringify(spec), place]));
  const placeOf = (spec: DrawingSpec): number => {
    const key = JSON.stringify(spec);
    const place = places.get(key) ?? drawings.push(spec) - 1;
    places.set(key, place);
    return place;
  };
  return {
    drawings,
    placeOf,
    /** For a part's own caption. */
    caption: (text: string, language: string | null = null): number => placeOf(captionOf(text, language)),
    captionLayer(text: string, settings: StreamSettings<"timing">, language: string | null = null): TimelineLayer {
      const { caption_start_seconds: startSeconds, caption_end_seconds: endSeconds, caption_fade: fadeMs } = settings;
      return { drawing: placeOf(captionOf(text, language)), startSeconds, endSeconds, fadeMs, isCaption: true };
    },
    /** The image is below the text, and keeps clear of it. */
    watermarkLayers(
      { text, image }: { text: string | null; image: string | null },
      settings: StreamSettings<"watermark">,
    ): TimelineLayer[] {
      const below = text === null ? null : placeOf({ kind: "watermark", text });
      const placement: ImagePlacement = {
        ...{ position: settings.watermark_position, x: null, y: null },
        ...{ size: settings.watermark_scale, opacity: settings.watermark_opacity },
      };
      const picture = image === null ? null : placeOf({ kind: "image", path: image, placement, above: below });
      return [picture, below].flatMap((drawing) => (drawing === null ? [] : [{ drawing, ...ALWAYS }]));
    },
    /** The job's own layers, in their order; null for an empty one. */
    layersOf: (layers: readonly Layer[], content: LayerContent) =>
      layers.map((layer): TimelineLayer | null => {
        const drawing = layer.kind === "text" ? placeText(layer, content) : placeImage(layer, content);
        const { start_seconds: startSeconds = 0, end_seconds: endSeconds = null, fade: fadeMs = 0 } = layer;
        return drawing === null ? null : { drawing, startSeconds, endSeconds, fadeMs };
      }),
  };

  /** A list is by source. */
  function placeText(layer: TextLayer, { fill, names }: LayerContent): TimelineLayer["drawing"] | null {
    const { style, font, weight, color, box_color, size, opacity, position, x, y } = completeText(layer);
    const look = { style, font, weight, color, box_color, size, opacity, position, x, y };
    const placeOne = (name: string): number | null => {
      const text = fill(layer.text, name);
      return text === "" ? null : placeOf({ kind: "text", text, look });
    };
    return differsByPart(layer) ? names.map(placeOne) : placeOne(names[0]!);
  }

  function placeImage(layer: ImageLayer, { fill, names, images }: LayerContent): number | null {
    const { position, x, y, size, opacity } = completeImage(layer);
    const path = images.get(fill(layer.image, names[0]!));
    return path === undefined
      ? null
      : placeOf({ kind: "image", path, placement: { position, x, y, size, opacity }, above: null });
  }
}

/** Other letters look the same in all languages, which then share their pictures. */
const DRAWN_BY_LANGUAGE = /[\p{sc=Han}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u;

function captionOf(text: string, language: string | null): DrawingSpec {
  return { kind: "caption", text, ...languageIfDrawn(text, language) };
}

/** Of a drawing's text. */
export function languageIfDrawn(text: string, language: string | null): { language?: string } {
  return language !== null && DRAWN_BY_LANGUAGE.test(text) ? { language } : {};
}

/** `fill` fills in fields; `names` are those of the video's own sources, at least one; `images` has paths by link. */
export type LayerContent = {
  fill: (pattern: string, name: string) => string;
  names: readonly string[];
  images: ReadonlyMap<string, string>;
};
