import type { CSSProperties } from "react";
import { classNames } from "../class-names.ts";

/** `running`: completed part (0-1). */
export type Slat = "todo" | "done" | "failed" | { running: number };

/** Thinner slats are indistinguishable, so the strip becomes one bar. */
const MAX_SLATS = 48;

const NO_SLATS: readonly Slat[] = [];

/**
 * Draws one slat per item; without slats, or above 48, one bar. `fraction` (0-1) is the overall progress; `figure` is
 * shown beside it and read by screen readers.
 */
export function Strip({
  label,
  fraction,
  figure,
  slats = NO_SLATS,
  isTall = false,
}: {
  label: string;
  fraction: number;
  figure: string;
  slats?: readonly Slat[];
  isTall?: boolean;
}) {
  const shown: readonly Slat[] = slats.length === 0 || slats.length > MAX_SLATS ? [{ running: fraction }] : slats;
  return (
    <div className="flex items-center gap-3">
      <div
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a progress element cannot hold slats
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(fraction * 100)}
        aria-valuetext={figure}
        className={classNames("flex min-w-0 flex-1 gap-0.5", isTall ? "h-3" : "h-2")}
      >
        {shown.map((slat, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a slat is its place in the row
          <SlatPart key={index} slat={slat} />
        ))}
      </div>
      <span className="tnum min-w-10 text-right text-12 font-medium text-ink">{figure}</span>
    </div>
  );
}

const SLAT = "relative min-w-0.5 flex-1 overflow-hidden rounded-[1.5px]";

function SlatPart({ slat }: { slat: Slat }) {
  if (slat === "todo") return <span className={`${SLAT} bg-slat`} />;
  if (slat === "failed") return <span className={`${SLAT} bg-failed`} />;
  const part = slat === "done" ? 1 : slat.running;
  return (
    <span className={`${SLAT} bg-slat`}>
      <span
        className="absolute inset-0 origin-left scale-x-(--part) bg-accent transition-transform duration-(--d-progress) ease-move"
        style={{ "--part": part } as CSSProperties}
      />
    </span>
  );
}
