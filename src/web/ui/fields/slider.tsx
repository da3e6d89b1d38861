import { useId, type CSSProperties } from "react";

const THUMB =
  "[&::-webkit-slider-thumb]:size-3.5 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:border-2 [&::-webkit-slider-thumb]:border-pane [&::-webkit-slider-thumb]:bg-ink [&::-webkit-slider-thumb]:shadow-[0_0_0_1px_var(--control)] " +
  "[&::-moz-range-thumb]:size-2.5 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-2 [&::-moz-range-thumb]:border-pane [&::-moz-range-thumb]:bg-ink [&::-moz-range-thumb]:shadow-[0_0_0_1px_var(--control)]";

export function Slider({
  label,
  value,
  onChange,
  min = 0,
  max = 1,
  step = 0.1,
  format = toOneDecimal,
}: {
  label: string;
  value: number;
  onChange: (value: number) => void;
  min?: number;
  max?: number;
  step?: number;
  format?: (value: number) => string;
}) {
  const id = useId();
  const filled = (value - min) / (max - min);
  return (
    <div className="grid gap-1.5">
      <div className="flex justify-between">
        <label htmlFor={id} className="font-medium text-ink">
          {label}
        </label>
        <output htmlFor={id} className="tnum text-ink-2">
          {format(value)}
        </output>
      </div>
      <div className="relative h-[18px] max-desk:h-11" style={{ "--filled": filled } as CSSProperties}>
        <div className="absolute inset-x-0 top-1/2 h-1 -translate-y-1/2 rounded-full bg-slat" />
        <div className="absolute top-1/2 left-0 h-1 w-[calc(var(--filled)*(100%-14px)+7px)] -translate-y-1/2 rounded-full bg-ink-2" />
        <input
          id={id}
          type="range"
          min={min}
          max={max}
          step={step}
          value={value}
          aria-valuetext={format(value)}
          className={`absolute inset-0 m-0 w-full cursor-pointer appearance-none rounded-full bg-transparent ${THUMB}`}
          onChange={(event) => onChange(event.target.valueAsNumber)}
        />
      </div>
    </div>
  );
}

function toOneDecimal(value: number): string {
  return value.toFixed(1);
}
