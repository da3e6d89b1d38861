import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { buttonClasses, type ButtonLook, type ButtonSize } from "./button-classes.ts";
import { classNames } from "../class-names.ts";
import { keepClear } from "../dialogs/keep-clear.ts";
import { Icon, type LucideIcon } from "../page/icon.tsx";
import { Spinner } from "../states/spinner.tsx";

type ButtonProps = Omit<ComponentProps<"button">, "children"> & {
  look?: ButtonLook | undefined;
  size?: ButtonSize | undefined;
  icon?: LucideIcon | undefined;
  /** Shows a spinner and ignores clicks; keeps its size and focus. */
  isBusy?: boolean | undefined;
  isWide?: boolean | undefined;
  children: ReactNode;
};

export function Button({
  look,
  size,
  icon,
  isBusy = false,
  isWide,
  disabled,
  type = "button",
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  function handleClick(event: MouseEvent<HTMLButtonElement>) {
    if (isBusy) event.preventDefault();
    else onClick?.(event);
  }
  // Toasts must not cover main buttons.
  const isMain = type === "submit" || look === "primary" || look === "danger";
  return (
    <button
      {...rest}
      {...(isMain && keepClear)}
      // oxlint-disable-next-line react/button-has-type -- the type is passed on, "button" by default
      type={type}
      disabled={disabled}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      className={classNames(buttonClasses({ look, size, isDisabled: disabled, isWide }), className)}
      onClick={handleClick}
    >
      {isBusy ? <Spinner /> : icon && <Icon icon={icon} />}
      {children}
    </button>
  );
}
