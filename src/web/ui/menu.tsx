import { Suspense } from "react";
import { IconButton } from "./icon-button.tsx";
import type { LucideIcon } from "./icon.tsx";
import { lazyPart } from "./lazy-part.ts";

export type MenuItem = {
  label: string;
  icon: LucideIcon;
  isDisabled?: boolean | undefined;
} & ({ onSelect: () => void } | { href: string; download?: string | boolean | undefined });

export type MenuProps = {
  /** Names the button and the menu. */
  label: string;
  icon: LucideIcon;
  items: readonly MenuItem[];
};

const MenuPopup = lazyPart(() => import("./menu-popup.tsx"));

/** A button with an icon that opens a list of actions. Its code is loaded on first use. */
export function Menu(props: MenuProps) {
  return (
    <Suspense fallback={<IconButton icon={props.icon} label={props.label} disabled />}>
      <MenuPopup {...props} />
    </Suspense>
  );
}
