/** What a row of the fault table measured, over all its rounds. */

/** What one round measured: a number, or whether something was so. */
export type Measured = Record<string, number | boolean>;

/** Of numbers the median and the largest; of facts, in how many of the rounds they were so. */
export type Figure = { median: number; most: number } | { times: number; of: number };

/** The figures of rounds, by the names of what they measured. */
export function summarise(rounds: Measured[]): Record<string, Figure> {
  const names = new Set(rounds.flatMap((measured) => Object.keys(measured)));
  return Object.fromEntries(
    [...names].map((name) => [name, toFigure(rounds.flatMap((measured) => measured[name] ?? []))]),
  );
}

/** A figure in words. */
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
