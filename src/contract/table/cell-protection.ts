/**
 * Keeps spreadsheets from running cells as formulas. An apostrophe in front makes such a cell a text
 * (OWASP, "CSV Injection", read 2026-11-22). Pure.
 */

/** Returns the cell as it is written to a file, so that `restoreCell` returns the same cell. */
export function protectCell(cell: string): string {
  return /^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}

/** Returns the cell that `protectCell` wrote: without one apostrophe in front of a formula. */
export function restoreCell(cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}
