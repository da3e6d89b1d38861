/** Returns the name, with a number if it is taken: "S3", "S3 2". */
export function freeName(name: string, taken: Iterable<string>): string {
  const names = new Set(taken);
  let free = name;
  for (let number = 2; names.has(free); number += 1) free = `${name} ${number}`;
  return free;
}
