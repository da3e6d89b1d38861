import { classNames } from "../class-names.ts";

export type ButtonLook = "primary" | "neutral" | "quiet" | "danger";
export type ButtonSize = "sm" | "md" | "lg";

const BASE =
  "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-2 border whitespace-nowrap transition-colors select-none";

const LOOKS: Record<ButtonLook, string> = {
  primary: "border-transparent bg-accent font-semibold text-on-accent hover:bg-accent-hover active:bg-accent-press",
  neutral: "border-line-strong bg-raised font-medium text-ink hover:bg-raised-2",
  quiet: "border-transparent font-medium text-ink-2 hover:bg-raised hover:text-ink",
  danger: "border-transparent bg-danger font-semibold text-on-danger hover:bg-danger-hover",
};

const SIZES: Record<ButtonSize, string> = {
  sm: "h-6 px-2 text-12 max-desk:h-11",
  md: "h-8 px-3 has-[>svg:first-child]:pl-2.5 max-desk:h-11",
  lg: "h-9 px-3 max-desk:h-11",
};

const DISABLED = "border-line font-medium text-ink-off cursor-not-allowed";

/** Also for links that look like buttons. If disabled, ignores `look`. */
export function buttonClasses({
  look = "neutral",
  size = "md",
  isDisabled = false,
  isWide = false,
}: {
  look?: ButtonLook | undefined;
  size?: ButtonSize | undefined;
  isDisabled?: boolean | undefined;
  isWide?: boolean | undefined;
}): string {
  return classNames(BASE, SIZES[size], isDisabled ? DISABLED : LOOKS[look], isWide && "w-full");
}
