/**
 * Keeps spreadsheets from running cells as formulas, by an apostrophe in front (OWASP, "CSV Injection", read
 * 2026-11-22).
 */

/** Some programs skip blanks and invisible characters, and read full-width and small signs as plain ones. */
const FORMULA = String.raw`(?:[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r])`;
const UNSAFE = new RegExp(`^'*${FORMULA}`, "u");
const PROTECTED = new RegExp(`^'+${FORMULA}`, "u");

/** Its exact inverse is `restoreCell`. */
export function protectCell(cell: string): string {
  return UNSAFE.test(cell) ? `'${cell}` : cell;
}

/** Removes one apostrophe in front of a formula. */
export function restoreCell(cell: string): string {
  return PROTECTED.test(cell) ? cell.slice(1) : cell;
}
