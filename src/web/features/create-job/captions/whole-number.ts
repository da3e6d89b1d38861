/** Parses a whole number, rounded down; `fallback` if blank, not a number or below 1. */
export function wholeNumberOr(text: string, fallback: number): number {
  const number = Math.floor(Number(text));
  return text.trim() !== "" && Number.isFinite(number) && number >= 1 ? number : fallback;
}
