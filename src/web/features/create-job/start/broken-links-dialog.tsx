import { formatCount, pluralize } from "../../../jobs/row/pluralize.ts";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import type { BrokenLinks } from "./broken-links.ts";

export function BrokenLinksDialog({
  links,
  onConfirm,
  onClose,
}: {
  links: BrokenLinks | null;
  onConfirm: () => void;
  onClose: () => void;
}) {
  if (!links) return null;
  const { broken, all } = links;
  return (
    <ConfirmDialog
      isOpen
      title="Start with broken links?"
      text={`${formatCount(broken)} of ${pluralize(all, "link")} can't be used. Only ${pluralize(all - broken, "video")} can be processed.`}
      confirmLabel="Start anyway"
      cancelLabel="Check links"
      isDangerous={false}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}
