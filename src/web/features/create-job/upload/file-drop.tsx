import { Upload } from "lucide-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { UploadUse } from "#contract/library.ts";
import { libraryKey } from "../../../sources/use-library.ts";
import { Icon } from "../../../ui/page/icon.tsx";
import { addLinks } from "../links/add-links.ts";
import type { JobForm } from "../draft/job-form.ts";
import { containsFiles, readDroppedFiles, uploadUseOf } from "./dropped-files.ts";
import { uploadStore, useUploads } from "./use-uploads.ts";

/** Marks the area where every dropped file is music. */
export const MUSIC_ZONE = { "data-drop": "music" } as const;

/** Uploads files dropped anywhere on the page and adds their links. */
export function FileDrop({
  form,
  writeAudioLinks,
}: {
  form: UseFormReturn<JobForm>;
  writeAudioLinks: (text: string) => void;
}) {
  const over = useDropTarget();
  useArrivals(form, writeAudioLinks);
  useLeaveWarning();
  if (!over) return null;
  return (
    <div className="pointer-events-none fixed inset-2 z-30 grid place-items-center rounded-3 border-2 border-dashed border-control">
      <p className="flex items-center gap-2 rounded-3 border border-line-strong bg-overlay px-5 py-3 text-14 font-medium text-ink shadow-pop">
        <Icon icon={Upload} />
        {over === "music" ? "Drop to upload as music" : "Drop to upload to the library"}
      </p>
    </div>
  );
}

/** Returns the use of a file at the drag position; null without a drag. */
function useDropTarget(): UploadUse | null {
  const [over, setOver] = useState<UploadUse | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    window.addEventListener(
      "dragover",
      (event) => {
        if (!containsFiles(event.dataTransfer)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
        setOver(isOnMusic(event) ? "music" : "video");
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
        const onMusic = isOnMusic(event);
        uploadStore.add(
          readDroppedFiles(event.dataTransfer).map(({ file, isFolder }) => ({
            file,
            isFolder,
            use: uploadUseOf(file, onMusic),
          })),
        );
      },
      stop,
    );
    return () => stop.abort();
  }, []);
  return over;
}

function isOnMusic({ target }: DragEvent): boolean {
  return target instanceof Element && target.closest('[data-drop="music"]') !== null;
}

function useArrivals({ getValues, setValue }: UseFormReturn<JobForm>, writeAudioLinks: (text: string) => void): void {
  const { arrived } = useUploads();
  const client = useQueryClient();
  useEffect(() => {
    const { video, music } = uploadStore.takeArrived();
    if (video.length + music.length > 0) void client.invalidateQueries({ queryKey: libraryKey });
    if (video.length > 0) setValue("videoLinks", addLinks(getValues("videoLinks"), [...video]), { shouldDirty: true });
    if (music.length === 0) return;
    setValue("audioEnabled", true, { shouldDirty: true });
    writeAudioLinks(addLinks(getValues("audioLinks"), [...music]));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only what arrives is written
  }, [arrived]);
}

/** Closing the tab would abort uploads in progress. */
function useLeaveWarning(): void {
  const isUploading = useUploads().uploads.some(({ state }) => ["waiting", "sending", "checking"].includes(state.kind));
  useEffect(() => {
    if (!isUploading) return undefined;
    const stop = new AbortController();
    window.addEventListener("beforeunload", (event) => event.preventDefault(), stop);
    return () => stop.abort();
  }, [isUploading]);
}
