/** A table that was dropped on a screen that leads to the form of jobs. */
let waiting: File | null = null;

export function handOverTable(file: File): void {
  waiting = file;
}

/** Returns a table that was handed over, once. */
export function takeTable(): File | null {
  const file = waiting;
  waiting = null;
  return file;
}
