import { Dialog } from "@base-ui/react/dialog";
import { Sidebar } from "./sidebar.tsx";

export default function Drawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-20 bg-scrim transition-opacity duration-(--d-3) desk:hidden data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup
          aria-label="Menu"
          className="fixed inset-y-0 left-0 z-20 w-[280px] max-w-[85vw] border-r border-line bg-frame transition duration-(--d-3) ease-move outline-none desk:hidden data-ending-style:-translate-x-2 data-ending-style:opacity-0 data-starting-style:-translate-x-2 data-starting-style:opacity-0"
        >
          <Sidebar kind="drawer" onNavigate={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
