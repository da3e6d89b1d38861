import { useId } from "react";

/** For two to four options. */
export function Segmented<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  /** For screen readers. */
  label: string;
  options: readonly { value: Value; label: string }[];
  /** Null if none is chosen. */
  value: Value | null;
  onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="inline-flex w-fit rounded-2 border border-line-strong bg-well p-0.5"
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="relative inline-flex h-[26px] cursor-pointer items-center rounded-[4px] px-3 font-medium whitespace-nowrap text-ink-2 transition-colors hover:text-ink has-checked:bg-raised-2 has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-focus max-desk:h-11"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            className="sr-only"
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
