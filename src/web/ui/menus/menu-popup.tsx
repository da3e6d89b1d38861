import { Menu } from "@base-ui/react/menu";
import { IconButton } from "../buttons/icon-button.tsx";
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
  items: readonly MenuItem[];
};

export default function MenuPopup({ label, icon, items }: MenuProps) {
  return (
    <Menu.Root>
      <Menu.Trigger render={<IconButton icon={icon} label={label} />} />
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
