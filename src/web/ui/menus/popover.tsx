import { ChevronDown } from "lucide-react";
import { Suspense, type ReactNode } from "react";
import { Icon } from "../page/icon.tsx";
import { lazyPart } from "../page/lazy-part.ts";

export type PopoverProps = {
  /** Names the button and what it opens. */
  label: string;
  /** The current values, shown on the button. */
  summary: string;
  children: ReactNode;
};

/** Put on what shows the effect of the settings: using it leaves the popover open. */
export const keepsPopover = { "data-keeps-popover": "" } as const;

const PopoverPopup = lazyPart(() => import("./popover-popup.tsx"));

/** A chip with a summary of settings, which opens them. */
export function Popover(props: PopoverProps) {
  return (
    <Suspense
      fallback={
        <button type="button" disabled className={chipClasses}>
          <ChipText {...props} />
        </button>
      }
    >
      <PopoverPopup {...props} />
    </Suspense>
  );
}

export function ChipText({ label, summary }: Pick<PopoverProps, "label" | "summary">) {
  return (
    <>
      <span className="sr-only">{label}: </span>
      <span className="min-w-0 truncate">{summary}</span>
      <Icon icon={ChevronDown} size={14} className="shrink-0 text-ink-3" />
    </>
  );
}

export const chipClasses =
  "inline-flex h-7 w-fit max-w-full min-w-0 items-center gap-1.5 rounded-full border border-line-strong bg-raised px-3 text-12 font-medium text-ink transition-colors hover:bg-raised-2 data-popup-open:bg-raised-2 max-desk:h-11";
