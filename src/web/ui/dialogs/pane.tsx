import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";
import { keepClear } from "./keep-clear.ts";

const PANE = "min-w-0 border-line bg-pane desk:rounded-3 desk:border";

/** The page scrolls, not the pane. */
export function Pane({ className, children }: { className?: string; children: ReactNode }) {
  return <section className={classNames(PANE, "flex-1 desk:self-stretch", className)}>{children}</section>;
}

/**
 * Stays in view beside the first pane. If taller than the screen, its end appears at the end of the page; beside a long
 * list (`isBesideList`), it scrolls instead.
 */
export function RailPane({
  label,
  isBesideList = false,
  className,
  children,
  ...rest
}: {
  label: string;
  "data-keeps-popover"?: string;
  isBesideList?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <aside
      {...rest}
      {...keepClear}
      aria-label={label}
      className={classNames(
        PANE,
        "desk:sticky desk:top-(--h-top) desk:min-h-[calc(100dvh-var(--h-top)-var(--gutter))] desk:w-72 desk:shrink-0 wide:w-[336px]",
        isBesideList && "desk:max-h-[calc(100dvh-var(--h-top)-var(--gutter))] desk:overflow-auto",
        className,
      )}
    >
      {children}
    </aside>
  );
}
