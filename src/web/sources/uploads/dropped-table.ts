/** A table dropped on a screen that leads to the job form. */
let waiting: File | null = null;

export function handOverTable(file: File): void {
  waiting = file;
}

/** Returns the table once. */
export function takeTable(): File | null {
  const file = waiting;
  waiting = null;
  return file;
}
