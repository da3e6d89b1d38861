import { Upload } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import type { UploadUse } from "#contract/library.ts";
import { Icon } from "../../ui/page/icon.tsx";
import { areTables, containsFiles, isTableFile, readDroppedFiles, uploadUseOf } from "./dropped-files.ts";
import type { UploadStore } from "./use-uploads.ts";

/** Accepts drops anywhere; a section with `data-drop` sets the use. Shows what a drop would do. */
export function DropTarget({
  store,
  use = null,
  labels,
  onTable,
}: {
  store: UploadStore;
  /** The use of every file. */
  use?: UploadUse | null;
  /** With `table`, tables are not uploaded. */
  labels: Readonly<Record<UploadUse, string>> & { table?: string };
  onTable?: (file: File) => void;
}) {
  const over = useDraggedUse(store, use, labels.table !== undefined, onTable);
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

/** Null without a drag. */
function useDraggedUse(
  store: UploadStore,
  use: UploadUse | null,
  hasTables: boolean,
  onTable: ((file: File) => void) | undefined,
): UploadUse | "table" | null {
  const [over, setOver] = useState<UploadUse | "table" | null>(null);
  const upload = useEffectEvent((transfer: DataTransfer, section: UploadUse | null) => {
    const dropped = readDroppedFiles(transfer);
    const tables = hasTables ? dropped.filter(({ file, isFolder }) => !isFolder && isTableFile(file)) : [];
    const files = dropped.filter((one) => !tables.includes(one));
    if (files.length > 0 || tables.length === 0) {
      store.add(files.map(({ file, isFolder }) => ({ file, isFolder, use: uploadUseOf(file, use ?? section) })));
    }
    if (tables[0]) onTable?.(tables[0].file);
  });
  useEffect(() => {
    const stop = new AbortController();
    window.addEventListener(
      "dragover",
      (event) => {
        if (!containsFiles(event.dataTransfer)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
        setOver(hasTables && areTables(event.dataTransfer) ? "table" : (sectionOf(event) ?? "video"));
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
  }, [hasTables]);
  return over;
}

function sectionOf({ target }: DragEvent): UploadUse | null {
  const section = target instanceof Element ? target.closest<HTMLElement>("[data-drop]") : null;
  return (section?.dataset.drop as UploadUse | undefined) ?? null;
}
