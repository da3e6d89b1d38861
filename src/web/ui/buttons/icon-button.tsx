import type { ComponentProps } from "react";
import { classNames } from "../class-names.ts";
import { Icon, type LucideIcon } from "../page/icon.tsx";
import { Spinner } from "../states/spinner.tsx";
import { tooltip } from "../page/tooltip.ts";

type IconButtonProps = Omit<ComponentProps<"button">, "children" | "aria-label"> & {
  icon: LucideIcon;
  /** Accessible name and tooltip. */
  label: string;
  isBusy?: boolean | undefined;
};

/** 28 px; 44 px on small screens. */
export function IconButton({
  icon,
  label,
  isBusy = false,
  disabled,
  className,
  type = "button",
  ...rest
}: IconButtonProps) {
  return (
    <button
      {...rest}
      {...tooltip(label)}
      // oxlint-disable-next-line react/button-has-type -- the type is passed on, "button" by default
      type={type}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy || undefined}
      aria-label={label}
      className={classNames(iconButtonClasses, className)}
    >
      {isBusy ? <Spinner /> : <Icon icon={icon} />}
    </button>
  );
}

/** For anchors that look like icon buttons. */
export const iconButtonClasses =
  "inline-grid size-7 shrink-0 place-items-center rounded-2 text-ink-3 transition-colors enabled:hover:bg-raised-2 enabled:hover:text-ink " +
  "any-link:hover:bg-raised-2 any-link:hover:text-ink disabled:cursor-not-allowed disabled:text-ink-off disabled:opacity-55 max-desk:size-11";
