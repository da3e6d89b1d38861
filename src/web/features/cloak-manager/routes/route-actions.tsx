import { Copy, Ellipsis, Pencil, Trash2 } from "lucide-react";
import type { ListedRoute } from "../../../api/functions/cloak.ts";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { Menu } from "../../../ui/menus/menu.tsx";
import { useIsPhone } from "../../../ui/use-is-phone.ts";
import { decodeDomain } from "../../../ui/text/decode-domain.ts";
import { publicUrl } from "./public-url.ts";
import { useCopyUrl } from "./use-copy-url.ts";

export function RouteActions({
  route,
  onEdit,
  onDelete,
}: {
  route: ListedRoute;
  onEdit: (route: ListedRoute) => void;
  onDelete: (route: ListedRoute) => void;
}) {
  const isPhone = useIsPhone();
  const copy = useCopyUrl();
  const actions = [
    { label: "Copy URL", icon: Copy, onSelect: () => void copy(publicUrl(route.domains.name, route.slug)) },
    { label: "Edit Route", icon: Pencil, onSelect: () => onEdit(route) },
    { label: "Delete Route", icon: Trash2, onSelect: () => onDelete(route) },
  ];
  if (isPhone) {
    const name = publicUrl(decodeDomain(route.domains.name), route.slug);
    return <Menu label={`Actions for ${name}`} icon={Ellipsis} items={actions} />;
  }
  return actions.map(({ label, icon, onSelect }) => (
    <IconButton key={label} icon={icon} label={label} onClick={onSelect} />
  ));
}
