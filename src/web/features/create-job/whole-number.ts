/** The whole number a text means: `fallback` when it is blank, not a number or under 1; a fraction is cut off. */
export function wholeNumberOr(text: string, fallback: number): number {
  const number = Math.floor(Number(text));
  return text.trim() !== "" && Number.isFinite(number) && number >= 1 ? number : fallback;
}
