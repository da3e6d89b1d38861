/** Returns a path with a number before its extension: `a/b.mp4` with 2 is `a/b-2.mp4`. */
export function numbered(path: string, number: number): string {
  const [, stem, extension] = /^(.*?)(\.[A-Za-z0-9]{1,8})?$/s.exec(path)!;
  return `${stem}-${number}${extension ?? ""}`;
}
