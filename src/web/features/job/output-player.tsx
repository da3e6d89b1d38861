import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { JobOutput } from "#contract/jobs.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { tooltipWhenCut } from "../../ui/tooltip.ts";

/** Plays one file over the page. */
export default function OutputPlayer({
  output,
  isOpen,
  onClose,
}: {
  output: JobOutput;
  isOpen: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-20 bg-scrim transition-opacity duration-(--d-3) data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup className="fixed top-1/2 left-1/2 z-20 flex max-h-[calc(100dvh-24px)] w-max max-w-[calc(100vw-24px)] -translate-1/2 flex-col overflow-hidden rounded-3 border border-line-strong bg-overlay shadow-sheet transition duration-(--d-3) ease-move outline-none data-ending-style:opacity-0 data-starting-style:-translate-y-[calc(50%-8px)] data-starting-style:opacity-0">
          <div className="flex items-center gap-3 py-2 pr-2 pl-4">
            <Dialog.Title
              dir="auto"
              className="raw w-0 min-w-0 flex-1 truncate text-13 font-medium"
              {...tooltipWhenCut(output.name)}
            >
              {output.name}
            </Dialog.Title>
            <Dialog.Close render={<IconButton icon={X} label="Close" />} />
          </div>
          {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- captions are burned into the picture */}
          <video
            controls
            autoPlay
            playsInline
            src={output.media_url ?? undefined}
            poster={output.thumbnail_url ?? undefined}
            width={output.width ?? undefined}
            height={output.height ?? undefined}
            className="h-auto max-h-[min(80dvh,860px)] min-h-0 w-auto max-w-full min-w-60 bg-screen object-contain"
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
