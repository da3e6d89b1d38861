/** Marks an element so that the app's one tooltip (TooltipLayer) shows `text` over it; spread the result on it. */
export function tooltip(text: string | undefined): { "data-tooltip"?: string } {
  return text ? { "data-tooltip": text } : {};
}
