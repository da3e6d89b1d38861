const UNITS = ["kB", "MB", "GB", "TB"] as const;

/** Powers of 1000, one decimal below 100: "980 B", "6.2 MB", "1.4 GB". */
export function formatFileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let size = bytes;
  let unit = -1;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${size.toFixed(size < 99.95 ? 1 : 0)} ${UNITS[unit]}`;
}

/** Returns "0:24", "12:05" or "1:02:09". */
export function formatClipLength(seconds: number): string {
  const total = Math.round(seconds);
  const parts = [Math.floor(total / 3600), Math.floor((total % 3600) / 60), total % 60];
  const [first, ...rest] = parts[0] === 0 ? parts.slice(1) : parts;
  return [first, ...rest.map((part) => String(part).padStart(2, "0"))].join(":");
}
