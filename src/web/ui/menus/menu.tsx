import { Suspense } from "react";
import { MenuButton } from "./menu-button.tsx";
import type { MenuProps } from "./menu-popup.tsx";
import { lazyPart } from "../page/lazy-part.ts";

export type { MenuItem } from "./menu-popup.tsx";

const MenuPopup = lazyPart(() => import("./menu-popup.tsx"));

export function Menu(props: MenuProps) {
  return (
    <Suspense fallback={<MenuButton label={props.label} icon={props.icon} isLabeled={props.isLabeled} disabled />}>
      <MenuPopup {...props} />
    </Suspense>
  );
}
