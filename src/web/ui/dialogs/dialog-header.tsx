import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { IconButton } from "../buttons/icon-button.tsx";

export function DialogHeader({ title, hint }: { title: string; hint: string | undefined }) {
  return (
    <header className="flex items-start gap-3 pt-4 pr-4 pb-3 pl-6 max-desk:pl-4">
      <div className="min-w-0 flex-1">
        <Dialog.Title className="text-16 wrap-anywhere">{title}</Dialog.Title>
        {hint !== undefined && <Dialog.Description className="text-12 text-ink-3">{hint}</Dialog.Description>}
      </div>
      <span className="max-desk:-mt-2 max-desk:-mr-3">
        <Dialog.Close render={<IconButton icon={X} label="Close" />} />
      </span>
    </header>
  );
}
