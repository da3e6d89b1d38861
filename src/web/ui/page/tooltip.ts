type TooltipAttributes = { "data-tooltip"?: string; "data-tooltip-when-cut"?: "" };

/** Returns attributes that make TooltipLayer show `text` over an element. */
export function tooltip(text: string | undefined): TooltipAttributes {
  return text ? { "data-tooltip": text } : {};
}

/** Returns the same, shown only while the element or a child is truncated. */
export function tooltipWhenCut(text: string): TooltipAttributes {
  return { "data-tooltip": text, "data-tooltip-when-cut": "" };
}
