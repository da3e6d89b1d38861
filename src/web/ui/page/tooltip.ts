type TooltipAttributes = { "data-tooltip"?: string; "data-tooltip-when-cut"?: "" };

/** Marks an element so that the app's one tooltip (TooltipLayer) shows `text` over it; spread the result on it. */
export function tooltip(text: string | undefined): TooltipAttributes {
  return text ? { "data-tooltip": text } : {};
}

/** The same for text that may end in an ellipsis: shown only while the element, or a child of it, is cut short. */
export function tooltipWhenCut(text: string): TooltipAttributes {
  return { "data-tooltip": text, "data-tooltip-when-cut": "" };
}
