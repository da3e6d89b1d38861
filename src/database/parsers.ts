/** Gives the same JavaScript types on PGlite and on a server. */

const INT8 = 20;
const TIMESTAMPTZ = 1184;

/** By type OID. Counts and sizes stay far below 2^53; times are ISO 8601 text everywhere. */
export const parsers: Record<number, (text: string) => unknown> = {
  [INT8]: Number,
  [TIMESTAMPTZ]: (text) => new Date(text).toISOString(),
};
