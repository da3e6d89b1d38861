type Dated = { id: string; updated_at: string };

/** Keeps cached rows that live changes made newer than the fetched ones. */
export function keepNewer<Row extends Dated>(rows: readonly Row[], known: readonly Row[]): Row[] {
  const knownById = new Map(known.map((row) => [row.id, row]));
  return rows.map((row) => newerOf(row, knownById.get(row.id)));
}

/** Replaces rows by newer ones; the others keep their identity, so that they do not rerender. */
export function replaceByNewer<Row extends Dated>(rows: readonly Row[], fetched: readonly Row[]): Row[] {
  const byId = new Map(fetched.map((row) => [row.id, row]));
  return rows.map((row) => {
    const other = byId.get(row.id);
    return other ? newerOf(other, row) : row;
  });
}

/** Returns the newer row (`fetched` on a tie), with missing fields from the other. */
export function newerOf<Row extends Dated>(fetched: Row, known: Row | undefined): Row {
  if (!known) return fetched;
  const isOlder = Date.parse(known.updated_at) > Date.parse(fetched.updated_at);
  return isOlder ? mergeRow(known, fetched) : mergeRow(fetched, known);
}

/** Fills missing fields: light rows lack the long lists. */
export function mergeRow<Row extends object>(row: Row, other: Row | undefined): Row {
  const lacksNothing = !other || Object.keys(other).every((key) => key in row);
  return lacksNothing ? row : { ...other, ...row };
}
