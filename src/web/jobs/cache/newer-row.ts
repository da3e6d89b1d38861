type Dated = { id: string; updated_at: string };

/**
 * The rows of an answer, with those kept that became newer here by live changes while it was on its way. Without this
 * an answer could bring back a state that is already over, and nothing would correct it.
 */
export function keepNewer<Row extends Dated>(answer: readonly Row[], known: readonly Row[]): Row[] {
  const knownById = new Map(known.map((row) => [row.id, row]));
  return answer.map((row) => newerOf(row, knownById.get(row.id)));
}

/** The newer of two states of one row; `answered` when they are of one age. What it lacks comes from the other. */
export function newerOf<Row extends Dated>(answered: Row, known: Row | undefined): Row {
  if (!known) return answered;
  const isOlder = Date.parse(known.updated_at) > Date.parse(answered.updated_at);
  return isOlder ? mergeRow(known, answered) : mergeRow(answered, known);
}

/** Returns the row with what it lacks from another state of it: light rows are without their long lists. */
export function mergeRow<Row extends object>(row: Row, other: Row | undefined): Row {
  const lacksNothing = !other || Object.keys(other).every((key) => key in row);
  return lacksNothing ? row : { ...other, ...row };
}
