/** Formats as "0:24", "12:05", "1:02:09". */
export function formatClipLength(seconds: number): string {
  const total = Math.round(seconds);
  const parts = [Math.floor(total / 3600), Math.floor((total % 3600) / 60), total % 60];
  const [first, ...rest] = parts[0] === 0 ? parts.slice(1) : parts;
  return [first, ...rest.map((part) => String(part).padStart(2, "0"))].join(":");
}
