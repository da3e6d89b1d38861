import { Search, X } from "lucide-react";
import type { ComponentProps } from "react";
import { classNames } from "../class-names.ts";
import { controlClasses, edgeClasses } from "./field.tsx";
import { Icon } from "../page/icon.tsx";

type SearchFieldProps = Omit<ComponentProps<"input">, "onChange" | "value" | "type"> & {
  label: string;
  value: string;
  onChange: (text: string) => void;
};

/** Escape or the cross clears it. */
export function SearchField({ label, value, onChange, onKeyDown, className, ...input }: SearchFieldProps) {
  return (
    <label
      className={classNames(
        controlClasses,
        edgeClasses(undefined),
        "flex h-8 items-center gap-2 max-desk:h-11",
        className,
      )}
    >
      <Icon icon={Search} className="shrink-0 text-ink-3" />
      <input
        {...input}
        type="search"
        aria-label={label}
        value={value}
        className="w-full min-w-0 bg-transparent outline-none placeholder:text-ink-3 placeholder:opacity-100 max-desk:text-[16px] [&::-webkit-search-cancel-button]:hidden"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || value === "") return onKeyDown?.(event);
          // Otherwise, a surrounding sheet would close.
          event.stopPropagation();
          onChange("");
        }}
      />
      {value !== "" && (
        <button
          type="button"
          aria-label="Clear search"
          className="-mr-1 grid size-6 shrink-0 max-desk:-mr-3 max-desk:size-11 place-items-center rounded-1 text-ink-3 hover:text-ink"
          onClick={() => onChange("")}
        >
          <Icon icon={X} size={14} />
        </button>
      )}
    </label>
  );
}
