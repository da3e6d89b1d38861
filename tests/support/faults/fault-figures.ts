export type Measured = Record<string, number | boolean>;

export type Figure = { median: number; most: number } | { times: number; of: number };

/**
 * Returns a figure per measurement: the median (upper middle value of an even count) and maximum of numbers, or how
 * often a boolean was true.
 */
export function summarize(rounds: Measured[]): Record<string, Figure> {
  const names = new Set(rounds.flatMap((measured) => Object.keys(measured)));
  return Object.fromEntries(
    [...names].map((name) => [name, toFigure(rounds.flatMap((measured) => measured[name] ?? []))]),
  );
}

/** Formats numbers like "seconds: 3.00, at most 120": three significant digits, no decimals from 100 on. */
export function formatFigure(name: string, figure: Figure): string {
  if ("times" in figure) return `${name}: ${figure.times} of ${figure.of}`;
  return `${name}: ${round(figure.median)}, at most ${round(figure.most)}`;
}

function toFigure(values: (number | boolean)[]): Figure {
  const numbers = values.map(Number).toSorted((a, b) => a - b);
  if (typeof values[0] === "boolean")
    return { times: numbers.filter((value) => value === 1).length, of: values.length };
  return { median: numbers[Math.floor(numbers.length / 2)]!, most: numbers.at(-1)! };
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
