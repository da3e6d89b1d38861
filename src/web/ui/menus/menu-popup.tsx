import { Menu } from "@base-ui/react/menu";
import { MenuButton } from "./menu-button.tsx";
import { Icon, type LucideIcon } from "../page/icon.tsx";
import { popupClasses, popupItemClasses } from "./popup-classes.ts";

export type MenuItem = {
  label: string;
  icon: LucideIcon;
  isDisabled?: boolean | undefined;
} & ({ onSelect: () => void } | { href: string; download?: string | boolean | undefined });

export type MenuProps = {
  /** Names the button and the menu. */
  label: string;
  icon: LucideIcon;
  /** Shows the label on the button. */
  isLabeled?: boolean | undefined;
  items: readonly MenuItem[];
};

export default function MenuPopup({ label, icon, isLabeled = false, items }: MenuProps) {
  return (
    <Menu.Root>
      <Menu.Trigger render={<MenuButton label={label} icon={icon} isLabeled={isLabeled} />} />
      {/* a landmark, so that the open menu belongs to a page region */}
      <Menu.Portal render={<section aria-label={label} />}>
        <Menu.Positioner align="end" sideOffset={4} className="z-20">
          <Menu.Popup className={`${popupClasses} w-52`}>
            {items.map((item) => (
              <MenuEntry key={item.label} item={item} />
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function MenuEntry({ item }: { item: MenuItem }) {
  const content = (
    <>
      <Icon icon={item.icon} />
      {item.label}
    </>
  );
  if ("href" in item && !item.isDisabled) {
    return (
      <Menu.LinkItem className={popupItemClasses} href={item.href} download={item.download} closeOnClick>
        {content}
      </Menu.LinkItem>
    );
  }
  return (
    <Menu.Item
      className={popupItemClasses}
      disabled={item.isDisabled === true}
      onClick={"onSelect" in item ? item.onSelect : undefined}
    >
      {content}
    </Menu.Item>
  );
}
