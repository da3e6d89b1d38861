import type { LibraryFile } from "#contract/calls.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { useJobFromFiles } from "./use-job-from-files.ts";

/** Plays a video, or shows an image, in a dialog. */
export function FileViewer({ file, isOpen, onClose }: { file: LibraryFile; isOpen: boolean; onClose: () => void }) {
  const startJob = useJobFromFiles();
  return (
    <Dialog
      isOpen={isOpen}
      title={file.name}
      onClose={onClose}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            Close
          </Button>
          <Button look="primary" onClick={() => startJob([file])}>
            Use in a new job
          </Button>
        </>
      }
    >
      <div className="-mx-6 grid place-items-center bg-screen">
        {file.kind === "image" ? (
          <img
            src={file.mediaUrl}
            alt={file.name}
            className="max-h-[calc(100dvh-220px)] max-w-full bg-[#85817a] object-contain"
          />
        ) : (
          // oxlint-disable-next-line jsx-a11y/media-has-caption -- the operator's own footage has none
          <video
            controls
            autoPlay
            playsInline
            src={isOpen ? file.mediaUrl : undefined}
            poster={file.thumbnailUrl ?? undefined}
            aria-label={file.name}
            className="max-h-[calc(100dvh-220px)] w-full object-contain"
          />
        )}
      </div>
    </Dialog>
  );
}
