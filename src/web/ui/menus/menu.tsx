import { Suspense } from "react";
import { IconButton } from "../buttons/icon-button.tsx";
import type { MenuProps } from "./menu-popup.tsx";
import { lazyPart } from "../page/lazy-part.ts";

export type { MenuItem } from "./menu-popup.tsx";

const MenuPopup = lazyPart(() => import("./menu-popup.tsx"));

export function Menu(props: MenuProps) {
  return (
    <Suspense fallback={<IconButton icon={props.icon} label={props.label} disabled />}>
      <MenuPopup {...props} />
    </Suspense>
  );
}
