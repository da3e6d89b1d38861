import type { ComponentProps } from "react";
import { Button } from "../buttons/button.tsx";
import { IconButton } from "../buttons/icon-button.tsx";
import type { MenuProps } from "./menu-popup.tsx";

type MenuButtonProps = Omit<ComponentProps<"button">, "children"> & Pick<MenuProps, "label" | "icon" | "isLabeled">;

export function MenuButton({ label, icon, isLabeled, ...button }: MenuButtonProps) {
  if (!isLabeled) return <IconButton {...button} icon={icon} label={label} />;
  return (
    <Button {...button} size="sm" look="quiet" icon={icon} type="button">
      {label}
    </Button>
  );
}
