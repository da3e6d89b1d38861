import { X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../buttons/icon-button.tsx";
import { keepClear } from "../dialogs/keep-clear.ts";

export function SelectionToolbar({
  label,
  count,
  onClear,
  children,
}: {
  label: string;
  /** Such as "3 selected". */
  count: string;
  onClear: () => void;
  children: ReactNode;
}) {
  return (
    <div
      {...keepClear}
      role="toolbar"
      aria-label={label}
      className="tnum fixed bottom-6 left-[calc(50%+var(--side)/2)] z-10 flex h-11 -translate-x-1/2 items-center gap-1 rounded-3 border border-line-strong bg-overlay pr-1.5 pl-4 whitespace-nowrap text-ink shadow-pop [--side:56px] wide:[--side:var(--w-side)] max-desk:inset-x-3 max-desk:bottom-3 max-desk:h-13 max-desk:translate-x-0"
    >
      <output className="font-semibold">{count}</output>
      <Divider />
      {children}
      <Divider />
      <span className="max-desk:ml-auto">
        <IconButton icon={X} label="Clear selection" onClick={onClear} />
      </span>
    </div>
  );
}

function Divider() {
  return <span aria-hidden className="mx-1 h-5 w-px bg-line-strong max-desk:hidden" />;
}
