/** The value of a cell, or why it has none: a sentence with the remedy. */
export type ReadCell = { value: unknown } | { message: string };
