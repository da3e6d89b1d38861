type Dated = { id: string; updated_at: string };

/**
 * The rows of an answer, with those kept that became newer here by live changes while it was on its way. Without this
 * an answer could bring back a state that is already over, and nothing would correct it.
 */
export function keepNewer<Row extends Dated>(answer: readonly Row[], known: readonly Row[]): Row[] {
  const knownById = new Map(known.map((row) => [row.id, row]));
  return answer.map((row) => newerOf(row, knownById.get(row.id)));
}

/** The newer of two states of one row; `answered` when they are of one age. */
export function newerOf<Row extends Dated>(answered: Row, known: Row | undefined): Row {
  return known && Date.parse(known.updated_at) > Date.parse(answered.updated_at) ? known : answered;
}
