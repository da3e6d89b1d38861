import type { ComponentProps } from "react";
import { Button } from "../buttons/button.tsx";
import { IconButton } from "../buttons/icon-button.tsx";
import type { LucideIcon } from "../page/icon.tsx";

type MenuButtonProps = Omit<ComponentProps<"button">, "children"> & {
  label: string;
  icon: LucideIcon;
  /** Shows the label. */
  isLabeled: boolean | undefined;
};

export function MenuButton({ label, icon, isLabeled, ...button }: MenuButtonProps) {
  if (!isLabeled) return <IconButton {...button} icon={icon} label={label} />;
  return (
    <Button {...button} size="sm" look="quiet" icon={icon} type="button">
      {label}
    </Button>
  );
}
