/** Choices of several settings and of layers: values and labels. */
export const CAPTION_STYLES = { outline: "Outline", box: "Box", shadow: "Shadow" } as const;
export const CAPTION_FONTS = { sans: "Sans", condensed: "Condensed", rounded: "Rounded", serif: "Serif" } as const;
export const CAPTION_WEIGHTS = { medium: "Medium", bold: "Bold" } as const;
export const FADES = { 0: "None", 200: "200 ms" } as const;
/** Of captions and subtitles. */
export const HEIGHTS = { top: "Top", middle: "Middle", bottom: "Bottom" } as const;
/** Within the safe area. */
export const POSITIONS = {
  ...{ "top-left": "Top left", top: "Top", "top-right": "Top right" },
  ...{ left: "Left", center: "Center", right: "Right" },
  ...{ "bottom-left": "Bottom left", bottom: "Bottom", "bottom-right": "Bottom right" },
} as const;

export type Position = keyof typeof POSITIONS;
