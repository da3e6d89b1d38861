import { useState } from "react";
import { Sheet } from "../../../ui/dialogs/sheet.tsx";
import { CaptionScrubber } from "./caption-scrubber.tsx";
import { CaptionPager, VideoPager } from "./preview-pagers.tsx";
import { PreviewScreen } from "./preview-screen.tsx";
import type { Preview } from "./use-preview.ts";

export function PreviewPeek({ preview }: { preview: Preview }) {
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  function handleOpen() {
    setWasOpened(true);
    setIsOpen(true);
  }
  return (
    <>
      {!preview.isEmpty && (
        <button
          type="button"
          aria-label="Preview"
          className="aspect-[9/16] w-[27px] shrink-0 overflow-hidden rounded-1 bg-screen desk:hidden"
          onClick={handleOpen}
        >
          {preview.shown && <img src={preview.shown.picture} alt="" className="size-full object-cover" />}
        </button>
      )}
      {wasOpened && (
        <Sheet isOpen={isOpen} title="Preview" onClose={() => setIsOpen(false)}>
          <div className="grid justify-items-center gap-2">
            <PreviewScreen preview={preview} className="h-[min(600px,calc(100dvh-220px))]" />
            <VideoPager preview={preview} className="w-full" />
            {!preview.isEmpty && <CaptionPager preview={preview} />}
            <CaptionScrubber preview={preview} />
          </div>
        </Sheet>
      )}
    </>
  );
}
