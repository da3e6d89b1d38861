/**
 * Keeps spreadsheets from running cells as formulas, by an apostrophe in front (OWASP, "CSV Injection", read
 * 2026-11-22).
 */

/** Its exact inverse is `restoreCell`. */
export function protectCell(cell: string): string {
  return /^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}

/** Removes one apostrophe in front of a formula. */
export function restoreCell(cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}
