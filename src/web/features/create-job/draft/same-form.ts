/** Compares regardless of field order. */
export function isSameForm<Form extends object>(a: Form, b: Form): boolean {
  const names = Object.keys(a) as (keyof Form)[];
  return names.length === Object.keys(b).length && names.every((name) => isSame(a[name], b[name]));
}

function isSame(a: unknown, b: unknown): boolean {
  return typeof a === "object" && a && typeof b === "object" && b ? isSameForm(a, b) : a === b;
}
