import { useMemo } from "react";
import { encode } from "uqr";

/** Quiet zone, in modules. */
const EDGE = 4;

/** Dark on light in both themes, as scanners expect. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => draw(text), [text]);
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an img would need the picture as an address
      role="img"
      aria-label={label}
      className="size-full rounded-2"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** One subpath per run of dark modules in a row. */
function draw(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: "M", border: EDGE });
  const runs = data.flatMap((row, y) => {
    const line = row.map((isDark) => (isDark ? "x" : " ")).join("");
    return Array.from(line.matchAll(/x+/g), (run) => `M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`);
  });
  return { size, path: runs.join("") };
}
