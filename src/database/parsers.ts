const INT8 = 20;
const TIMESTAMPTZ = 1184;

/** Same types on PGlite and a server. Counts and sizes stay far below 2^53. */
export const parsers: Record<number, (text: string) => unknown> = {
  [INT8]: Number,
  [TIMESTAMPTZ]: (text) => new Date(text).toISOString(),
};
