type TooltipAttributes = { "data-tooltip"?: string; "data-tooltip-when-cut"?: "" };

/** Attributes for TooltipLayer. */
export function tooltip(text: string | undefined): TooltipAttributes {
  return text ? { "data-tooltip": text } : {};
}

/** Shown only while the element or a child is truncated. */
export function tooltipWhenCut(text: string): TooltipAttributes {
  return { "data-tooltip": text, "data-tooltip-when-cut": "" };
}
