import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { UploadUse } from "#contract/library.ts";
import { splitLinks } from "#contract/sources/links.ts";
import { DropTarget } from "../../../sources/uploads/drop-target.tsx";
import { insertInOrder } from "../../../sources/uploads/insert-in-order.ts";
import {
  useDuplicateToasts,
  useInterruptedUploads,
  useLeaveWarning,
  useUploads,
  type UploadStore,
} from "../../../sources/uploads/use-uploads.ts";
import { libraryKey } from "../../../sources/use-library.ts";
import { useFormUploads } from "../../../sources/uploads/form-uploads.ts";
import type { JobForm } from "../draft/job-form.ts";

/** Areas where every dropped file has one use. */
export const MUSIC_ZONE = { "data-drop": "music" } as const;
export const IMAGE_ZONE = { "data-drop": "image" } as const;
export const SUBTITLES_ZONE = { "data-drop": "subtitles" } as const;

const LABELS = {
  video: "Drop to upload to the library",
  music: "Drop to upload as music",
  image: "Drop to upload as the watermark",
  subtitles: "Drop to upload as subtitles",
  table: "Drop to read as a table of videos",
} as const satisfies Record<UploadUse | "table", string>;

export function FileDrop({
  form,
  writeAudioLinks,
}: {
  form: UseFormReturn<JobForm>;
  writeAudioLinks: (text: string) => void;
}) {
  const store = useFormUploads();
  useArrivals(store, form, writeAudioLinks);
  useInterruptedUploads(store, "job");
  useLeaveWarning(store);
  useDuplicateToasts(store);
  return <DropTarget store={store} labels={LABELS} />;
}

function useArrivals(
  store: UploadStore,
  { getValues, setValue }: UseFormReturn<JobForm>,
  writeAudioLinks: (text: string) => void,
): void {
  const { arrived, uploads } = useUploads(store);
  const client = useQueryClient();
  const hasMounted = useRef(false);
  const isComing = (wanted: UploadUse) => uploads.some(({ use, state }) => use === wanted && state.kind !== "done");
  const isMusicComing = isComing("music");
  const isImageComing = isComing("image");
  const areSubtitlesComing = isComing("subtitles");
  // the sections show progress and errors
  useEffect(() => {
    if (isMusicComing) setValue("audioEnabled", true, { shouldDirty: true });
  }, [isMusicComing, setValue]);
  useEffect(() => {
    if (isImageComing) setValue("watermarkEnabled", true, { shouldDirty: true });
  }, [isImageComing, setValue]);
  useEffect(() => {
    if (areSubtitlesComing) setValue("subtitlesEnabled", true, { shouldDirty: true });
  }, [areSubtitlesComing, setValue]);
  useEffect(() => {
    // Later arrivals turned their section on when they started. It stays off if the operator turned it off since.
    const turnOn = (section: "audioEnabled" | "watermarkEnabled" | "subtitlesEnabled") => {
      if (!hasMounted.current) setValue(section, true, { shouldDirty: true });
    };
    const { video, music, image, subtitles } = store.takeArrived();
    if (video.length + music.length + image.length + subtitles.length > 0)
      void client.invalidateQueries({ queryKey: libraryKey });
    const withArrived = (text: string, links: readonly string[], use: UploadUse) =>
      insertInOrder(splitLinks(text), links, { uploads }, use).join("\n");
    if (video.length > 0)
      setValue("videoLinks", withArrived(getValues("videoLinks"), video, "video"), { shouldDirty: true });
    const newest = image.at(-1);
    if (newest !== undefined) {
      turnOn("watermarkEnabled");
      setValue("watermarkImage", newest, { shouldDirty: true });
      // the field itself shows the image
      store.forgetDone(() => false, "image");
    }
    const newestFile = subtitles.at(-1);
    if (newestFile !== undefined) {
      turnOn("subtitlesEnabled");
      setValue("subtitles", newestFile, { shouldDirty: true });
      store.forgetDone(() => false, "subtitles");
    }
    if (music.length > 0) {
      turnOn("audioEnabled");
      writeAudioLinks(withArrived(getValues("audioLinks"), music, "music"));
    }
    hasMounted.current = true;
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only what arrives is written
  }, [arrived]);
}
