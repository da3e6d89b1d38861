import { Upload } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import type { UploadUse } from "#contract/library.ts";
import { Icon } from "../../ui/page/icon.tsx";
import { containsFiles, readDroppedFiles, uploadUseOf } from "./dropped-files.ts";
import type { UploadStore } from "./use-uploads.ts";

/**
 * Uploads files dropped anywhere on the page; over a section with `data-drop`, for that use. Shows what dropping does
 * meanwhile.
 */
export function DropTarget({
  store,
  labels,
  ignores = ignoresNone,
}: {
  store: UploadStore;
  labels: Readonly<Record<UploadUse, string>>;
  /** True for files that the screen uses in another way. */
  ignores?: (file: File) => boolean;
}) {
  const over = useDraggedUse(store, ignores);
  if (!over) return null;
  return (
    <div className="pointer-events-none fixed inset-2 z-30 grid place-items-center rounded-3 border-2 border-dashed border-control">
      <p className="flex items-center gap-2 rounded-3 border border-line-strong bg-overlay px-5 py-3 text-14 font-medium text-ink shadow-pop">
        <Icon icon={Upload} />
        {labels[over]}
      </p>
    </div>
  );
}

function ignoresNone(): boolean {
  return false;
}

/** Returns the use of a file at the drag position; null without a drag. */
function useDraggedUse(store: UploadStore, ignores: (file: File) => boolean): UploadUse | null {
  const [over, setOver] = useState<UploadUse | null>(null);
  const upload = useEffectEvent((transfer: DataTransfer, section: UploadUse | null) =>
    store.add(
      readDroppedFiles(transfer)
        .filter(({ file }) => !ignores(file))
        .map(({ file, isFolder }) => ({ file, isFolder, use: uploadUseOf(file, section) })),
    ),
  );
  useEffect(() => {
    const stop = new AbortController();
    window.addEventListener(
      "dragover",
      (event) => {
        if (!containsFiles(event.dataTransfer)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
        setOver(sectionOf(event) ?? "video");
      },
      stop,
    );
    // Between elements, `relatedTarget` is the one entered.
    window.addEventListener("dragleave", (event) => event.relatedTarget === null && setOver(null), stop);
    window.addEventListener(
      "drop",
      (event) => {
        setOver(null);
        if (!containsFiles(event.dataTransfer)) return;
        event.preventDefault();
        upload(event.dataTransfer, sectionOf(event));
      },
      stop,
    );
    return () => stop.abort();
  }, []);
  return over;
}

/** Returns the use of files dropped on the section below the pointer; null on others. */
function sectionOf({ target }: DragEvent): UploadUse | null {
  const section = target instanceof Element ? target.closest<HTMLElement>("[data-drop]") : null;
  return (section?.dataset.drop as UploadUse | undefined) ?? null;
}
