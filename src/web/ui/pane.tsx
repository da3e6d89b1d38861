import type { ReactNode, Ref } from "react";
import { classNames } from "./class-names.ts";

const PANE = "min-w-0 border-line bg-pane desk:rounded-3 desk:border";

/** The box a screen stands on, and the only box there is. The page scrolls, not the pane. */
export function Pane({ className, children }: { className?: string; children: ReactNode }) {
  return <section className={classNames(PANE, "flex-1 desk:self-stretch", className)}>{children}</section>;
}

/** A second, narrower pane that stays in sight beside the first, for what one watches while working. */
export function RailPane({
  label,
  className,
  ref,
  children,
}: {
  label: string;
  className?: string;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}) {
  return (
    <aside
      ref={ref}
      aria-label={label}
      className={classNames(
        PANE,
        "desk:sticky desk:top-(--h-top) desk:h-[calc(100dvh-var(--h-top)-var(--gutter))] desk:w-72 desk:shrink-0 desk:overflow-auto wide:w-[336px]",
        className,
      )}
    >
      {children}
    </aside>
  );
}
