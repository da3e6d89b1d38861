import { useId, type KeyboardEvent } from "react";
import { tooltip } from "../page/tooltip.ts";

/** Steps in the list of options; rows do not wrap. */
const STEPS: Readonly<Record<string, { across: number; down: number }>> = {
  ArrowLeft: { across: -1, down: 0 },
  ArrowRight: { across: 1, down: 0 },
  ArrowUp: { across: 0, down: -1 },
  ArrowDown: { across: 0, down: 1 },
};

/** Row by row; arrow keys move in the grid. */
export function GridChoice<Value extends string>({
  label,
  columns,
  options,
  value,
  onChange,
}: {
  label: string;
  columns: number;
  options: readonly { value: Value; label: string }[];
  /** Null if none is chosen. */
  value: Value | null;
  onChange: (value: Value) => void;
}) {
  const name = useId();
  const index = Math.max(
    0,
    options.findIndex((option) => option.value === value),
  );

  function handleKey(event: KeyboardEvent<HTMLDivElement>) {
    const step = STEPS[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const [row, column] = [Math.floor(index / columns) + step.down, (index % columns) + step.across];
    const next = column < 0 || column >= columns ? undefined : options[row * columns + column];
    if (!next) return;
    onChange(next.value);
    event.currentTarget.querySelector<HTMLInputElement>(`input[value="${next.value}"]`)?.focus();
  }
  return (
    <div className="grid w-fit gap-1.5">
      <span className="font-medium text-ink" aria-hidden>
        {label}
      </span>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its radio buttons have the focus */}
      <div
        role="radiogroup"
        aria-label={label}
        className="grid w-fit gap-0.5 rounded-2 border border-line-strong bg-well p-0.5"
        style={{ gridTemplateColumns: `repeat(${columns}, auto)` }}
        onKeyDown={handleKey}
      >
        {options.map((option) => (
          <label
            key={option.value}
            className="group relative grid h-[22px] w-[34px] cursor-pointer place-items-center rounded-[4px] transition-colors hover:bg-raised has-checked:bg-raised-2 has-focus-visible:outline-2 has-focus-visible:outline-focus max-desk:h-11 max-desk:w-14"
            {...tooltip(option.label)}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              aria-label={option.label}
              className="sr-only"
              onChange={() => onChange(option.value)}
            />
            <span
              aria-hidden
              className="size-1 rounded-full bg-ink-3 group-has-checked:h-2 group-has-checked:w-4 group-has-checked:rounded-[2px] group-has-checked:bg-ink"
            />
          </label>
        ))}
      </div>
    </div>
  );
}
