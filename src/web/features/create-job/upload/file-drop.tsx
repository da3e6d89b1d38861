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

/** Mark the areas where every dropped file has one use. */
export const MUSIC_ZONE = { "data-drop": "music" } as const;
export const IMAGE_ZONE = { "data-drop": "image" } as const;

const LABELS = {
  video: "Drop to upload to the library",
  music: "Drop to upload as music",
  image: "Drop to upload as the watermark",
} as const satisfies Record<UploadUse, string>;

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
        {LABELS[over]}
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
        const section = sectionOf(event);
        uploadStore.add(
          readDroppedFiles(event.dataTransfer).map(({ file, isFolder }) => ({
            file,
            isFolder,
            use: uploadUseOf(file, section),
          })),
        );
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

function useArrivals({ getValues, setValue }: UseFormReturn<JobForm>, writeAudioLinks: (text: string) => void): void {
  const { arrived, uploads } = useUploads();
  const client = useQueryClient();
  const isImageComing = uploads.some(({ use, state }) => use === "image" && state.kind !== "done");
  useEffect(() => {
    // its progress and errors are shown in the section
    if (isImageComing) setValue("watermarkEnabled", true, { shouldDirty: true });
  }, [isImageComing, setValue]);
  useEffect(() => {
    const { video, music, image } = uploadStore.takeArrived();
    if (video.length + music.length + image.length > 0) void client.invalidateQueries({ queryKey: libraryKey });
    if (video.length > 0) setValue("videoLinks", addLinks(getValues("videoLinks"), [...video]), { shouldDirty: true });
    const newest = image.at(-1);
    if (newest !== undefined) {
      setValue("watermarkEnabled", true, { shouldDirty: true });
      setValue("watermarkImage", newest, { shouldDirty: true });
      // the field itself shows the image
      uploadStore.forgetDone(() => false, "image");
    }
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
