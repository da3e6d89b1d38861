import { Dialog } from "@base-ui/react/dialog";
import { Clapperboard, X } from "lucide-react";
import type { LibraryFile } from "#contract/calls.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { tooltipWhenCut } from "../../ui/page/tooltip.ts";
import { isToastPress } from "../../ui/toasts/toaster.tsx";
import { useJobFromFiles } from "./use-job-from-files.ts";

const SIZE = "h-auto max-h-[min(calc(100dvh-160px),860px)] min-h-0 w-auto max-w-full min-w-60 object-contain";

export default function FileViewer({
  file,
  isOpen,
  onClose,
}: {
  file: LibraryFile;
  isOpen: boolean;
  onClose: () => void;
}) {
  const startJob = useJobFromFiles();
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open, { event }) => !open && !isToastPress(event) && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-20 bg-scrim transition-opacity duration-(--d-3) data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup className="fixed top-1/2 left-1/2 z-20 flex max-h-[calc(100dvh-24px)] w-max max-w-[calc(100vw-24px)] min-w-75 -translate-1/2 flex-col overflow-hidden rounded-3 border border-line-strong bg-overlay shadow-sheet transition duration-(--d-3) ease-move outline-none data-ending-style:opacity-0 data-starting-style:-translate-y-[calc(50%-8px)] data-starting-style:opacity-0">
          <div className="flex items-center gap-3 py-2 pr-2 pl-4">
            <Dialog.Title
              dir="auto"
              className="w-0 min-w-0 flex-1 truncate text-left text-13 font-medium"
              {...tooltipWhenCut(file.name)}
            >
              {file.name}
            </Dialog.Title>
            <Dialog.Close render={<IconButton icon={X} label="Close" />} />
          </div>
          <div className="flex min-h-0 justify-center bg-screen">
            {file.kind === "image" ? (
              <img src={file.mediaUrl} alt={file.name} className={`${SIZE} bg-[#85817a]`} />
            ) : (
              // oxlint-disable-next-line jsx-a11y/media-has-caption -- the operator's own footage has no caption track
              <video
                controls
                autoPlay
                playsInline
                src={file.mediaUrl}
                poster={file.thumbnailUrl ?? undefined}
                aria-label={file.name}
                className={SIZE}
              />
            )}
          </div>
          <div className="flex justify-end px-2 py-2">
            <Button look="quiet" icon={Clapperboard} onClick={() => startJob([file])}>
              Use in a new job
            </Button>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
