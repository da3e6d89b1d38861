import { cleanFileName } from "#contract/clean-name.ts";

const EXTENSION = /\.[A-Za-z0-9]{1,8}$/;

/** Cleans names, and numbers those that are equal ignoring case. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const clean = cleanFileName(name, "output.mp4");
    const extension = EXTENSION.exec(clean)?.[0] ?? "";
    const stem = clean.slice(0, clean.length - extension.length);
    let unique = clean;
    for (let n = 2; taken.has(unique.toLowerCase()); n += 1) unique = `${stem} (${n})${extension}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}
