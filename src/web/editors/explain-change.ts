type Versioned = { id: string; version: number };

/** Returns null without a change. */
export function explainChange(
  noun: string,
  opened: Versioned | null,
  list: readonly Versioned[] | undefined,
): string | null {
  if (opened === null || list === undefined) return null;
  const current = list.find(({ id }) => id === opened.id);
  if (!current) return `This ${noun} was removed elsewhere, so it can't be saved.`;
  return current.version === opened.version
    ? null
    : `This ${noun} was changed elsewhere. Reopen it, check its current values, then make your change again.`;
}
