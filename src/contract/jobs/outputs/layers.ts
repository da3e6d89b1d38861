/** Texts and images over a job's videos, besides the caption and the watermark. No zod: the form loads it. */
import { CAPTION_FONTS, CAPTION_STYLES, CAPTION_WEIGHTS, FADES, type Position } from "../../job-settings/choices.ts";

type Placed = {
  position?: Position;
  /** The layer's middle, as shares of the frame; both or none. They replace the position. */
  x?: number | null;
  y?: number | null;
  /** Of a text: its letters' size as a share of the frame's shorter side. Of an image: a share of the frame's width. */
  size?: number;
  opacity?: number;
  start_seconds?: number;
  /** Null or absent means the output's end. */
  end_seconds?: number | null;
  /** Milliseconds. */
  fade?: keyof typeof FADES;
};

export type TextLayer = Placed & {
  kind: "text";
  /** With fields, as in name patterns. */
  text: string;
  style?: keyof typeof CAPTION_STYLES;
  font?: keyof typeof CAPTION_FONTS;
  weight?: keyof typeof CAPTION_WEIGHTS;
  color?: string;
  box_color?: string;
};

export type ImageLayer = Placed & {
  kind: "image";
  /** A library image's link, or a field such as `{row.logo}`. */
  image: string;
};

/** The lowest first. Absent values are those of `LAYER_DEFAULTS`. */
export type Layer = TextLayer | ImageLayer;

const PLACED = { x: null, y: null, opacity: 1, start_seconds: 0, end_seconds: null, fade: 0 } as const;

const LAYER_DEFAULTS = {
  text: {
    ...{ ...PLACED, position: "top", size: 0.05 },
    ...{ style: "outline", font: "sans", weight: "bold", color: "#ffffff", box_color: "#0e0d0cdb" },
  },
  image: { ...PLACED, position: "top-right", size: 0.2 },
} as const satisfies {
  text: Omit<Required<TextLayer>, "kind" | "text">;
  image: Omit<Required<ImageLayer>, "kind" | "image">;
};

/** Of letters; an image may be as wide as the frame. */
export const MOST_TEXT_SIZE = 0.3;
export const LEAST_LAYER_SIZE = 0.02;

/** With all values. */
export function completeText(layer: TextLayer): Required<TextLayer> {
  return { ...LAYER_DEFAULTS.text, ...layer };
}

export function completeImage(layer: ImageLayer): Required<ImageLayer> {
  return { ...LAYER_DEFAULTS.image, ...layer };
}
