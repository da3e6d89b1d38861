import { createLink } from "@tanstack/react-router";
import type { ComponentProps, ReactNode } from "react";
import { buttonClasses, type ButtonLook, type ButtonSize } from "./button-classes.ts";
import { keepClear } from "../dialogs/keep-clear.ts";
import { Icon, type LucideIcon } from "../page/icon.tsx";

type AnchorProps = Omit<ComponentProps<"a">, "className"> & {
  look?: ButtonLook | undefined;
  size?: ButtonSize | undefined;
  icon?: LucideIcon | undefined;
  isWide?: boolean | undefined;
  children?: ReactNode;
};

function ButtonAnchor({ look, size, icon, isWide, children, ...rest }: AnchorProps) {
  return (
    <a {...rest} {...(look === "primary" && keepClear)} className={buttonClasses({ look, size, isWide })}>
      {icon && <Icon icon={icon} />}
      {children}
    </a>
  );
}

export const LinkButton = createLink(ButtonAnchor);
