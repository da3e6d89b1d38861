const BAR_PX = 3;
const GAP_PX = 1;
const HEIGHT_PX = 20;

/** One bar per day, today last. Hidden from screen readers, which get the figures. */
export function DayBars({ days }: { days: readonly number[] }) {
  const most = Math.max(1, ...days);
  return (
    <svg
      aria-hidden
      width={days.length * (BAR_PX + GAP_PX)}
      height={HEIGHT_PX}
      className="max-w-full text-ink-3"
      fill="currentColor"
    >
      {days.map((clicks, day) => {
        const height = clicks === 0 ? 1 : Math.max(2, (clicks / most) * HEIGHT_PX);
        return (
          <rect
            // oxlint-disable-next-line react/no-array-index-key -- a bar is its day
            key={day}
            x={day * (BAR_PX + GAP_PX)}
            y={HEIGHT_PX - height}
            width={BAR_PX}
            height={height}
            opacity={clicks === 0 ? 0.4 : 1}
          />
        );
      })}
    </svg>
  );
}
