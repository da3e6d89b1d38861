/** Selects a line (counted from 1) of a text area without wrapping, focuses it and scrolls it into view. */
export function selectLine(area: HTMLTextAreaElement, line: number): void {
  const lines = area.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
  area.focus({ preventScroll: true });
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  const lineHeight = Number.parseFloat(getComputedStyle(area).lineHeight);
  area.scrollTop = (line - 1) * lineHeight - (area.clientHeight - lineHeight) / 2;
  area.scrollLeft = 0;
  area.scrollIntoView({ block: "nearest" });
}
