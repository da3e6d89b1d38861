import { Columns3, Play, Rows3, TextCursorInput } from "lucide-react";
import { Suspense, useEffect, useEffectEvent, useMemo } from "react";
import type { UseFormReturn } from "react-hook-form";
import { splitLinks } from "#contract/sources/links.ts";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { lazyPart } from "../../../ui/page/lazy-part.ts";
import { Spinner } from "../../../ui/states/spinner.tsx";
import type { JobForm, ReadForm } from "../draft/job-form.ts";
import { addLinks } from "../links/add-links.ts";
import { LinksField } from "../links/links-field.tsx";
import { editsAsText, useTextMode } from "../links/use-text-mode.ts";
import type { Steps } from "../preview/use-preview.ts";
import type { TablePart } from "../table/use-table.tsx";
import { AddFiles, UploadRows, useOwnUploads } from "../../../sources/uploads/add-files.tsx";
import { startSlots } from "../slots/use-slots.ts";
import type { Samples } from "../use-samples.ts";
import { createVideoEdits } from "./create-video-edits.ts";
import type { VideoListProps } from "./video-list.tsx";
import type { VideoRows } from "./use-video-rows.ts";

const SlotsField = lazyPart(() => import("../slots/slots-field.tsx"));
const loadList = () => import("./video-list.tsx");
const VideoList = lazyPart(loadList);

export function VideosField(props: VideosFieldProps) {
  if (props.read.slots.length === 0) return <SingleVideos {...props} />;
  return (
    <Suspense>
      <SlotsField form={props.form} read={props.read} videos={props.videos} />
    </Suspense>
  );
}

type VideosFieldProps = {
  form: UseFormReturn<JobForm>;
  read: ReadForm;
  videos: VideoRows;
  previewed: Steps;
  samples: Samples;
  table: TablePart;
  /** Links of a copied job, which the first pasted ones replace. */
  copiedLinks: string;
};

/** Takes links, files and tables, and becomes the list of videos; "Edit as text" brings the links back. */
function SingleVideos({ form, read, videos, previewed, samples, table, copiedLinks }: VideosFieldProps) {
  const { getValues, register, setValue } = form;
  const toast = useToast();
  const edits = useMemo(() => createVideoEdits({ getValues, setValue }, toast.show), [getValues, setValue, toast]);
  const folders = useMemo(
    () => new Set(videos.rows.filter(({ video }) => video === null).map(({ line }) => line)),
    [videos.rows],
  );
  const uploads = useOwnUploads("video");
  const { container, field, isList, ...mode } = useTextMode(videos.rows.length + uploads.length > 0);
  useEffect(() => {
    // After a failure, the first video reloads the page: see `lazyPart`.
    loadList().catch(() => undefined);
  }, []);
  const add = (added: readonly string[]) =>
    setValue("videoLinks", addLinks(getValues("videoLinks"), added), { shouldDirty: true });
  usePastedLinks((pasted) => {
    if (table.openIfTable(pasted)) return;
    const links = splitLinks(pasted);
    if (copiedLinks !== "" && getValues("videoLinks") === copiedLinks) edits.replaceAll(links);
    else add(links);
  });
  return (
    <div ref={container} className="grid grid-cols-1 gap-1">
      <LinksField
        label="Video links, one per line"
        tip={'Share each file as "Anyone with the link"'}
        placeholder={"Paste links, or drop videos or a table here\nhttps://drive.google.com/file/d/…"}
        rows={4}
        field={field}
        isCollapsed={isList}
        links={read.videos}
        videoRows={read.rows}
        use="video"
        folders={folders}
        registration={register("videoLinks")}
        onType={mode.keepText}
        onInsert={mode.showList}
        onSelectLine={mode.edit}
        onKeep={edits.keep}
        onPaste={table.offerFor}
      />
      {table.offer}
      {isList && (
        <LazyVideoList
          videos={videos}
          edits={edits}
          shownVideo={previewed.index}
          onShow={previewed.goTo}
          onEmptied={mode.focusField}
        />
      )}
      <UploadRows use="video" links={read.videos.valid} isListed />
      <div className="-ml-2 flex flex-wrap items-center gap-1">
        {isList && (
          <Button size="sm" look="quiet" icon={TextCursorInput} {...editsAsText} onClick={mode.edit}>
            Edit as text
          </Button>
        )}
        <AddFiles
          use="video"
          links={read.videos.valid}
          isMenu={isList}
          onAdded={mode.showList}
          actions={[
            samples.videoLinks.length > 0
              ? { label: "Use sample clips", icon: Play, onSelect: () => add(samples.videoLinks) }
              : null,
          ]}
          more={{
            label: "Table or slots",
            icon: Rows3,
            items: [
              table.action,
              { label: "Combine clips in slots", icon: Columns3, onSelect: () => startSlots(form) },
            ],
          }}
        />
        {samples.isRendering && !isList && <PreparingSamples />}
      </div>
    </div>
  );
}

export function PreparingSamples() {
  return (
    <output className="inline-flex min-h-6 items-center gap-1.5 px-2 text-12 text-ink-3">
      <Spinner size={14} />
      The samples are still being prepared
    </output>
  );
}

/** Loads the list's code after the form. Otherwise, the list would appear late and shift fields as they are clicked. */
function LazyVideoList(props: VideoListProps) {
  if (props.videos.rows.length === 0) return null;
  return (
    <Suspense>
      <VideoList {...props} />
    </Suspense>
  );
}

/** Links pasted anywhere but in a field or a dialog. */
function usePastedLinks(onPaste: (text: string) => void): void {
  const handlePaste = useEffectEvent((event: ClipboardEvent) => {
    if (event.target instanceof Element && event.target.closest("input, textarea, [role=dialog]")) return;
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.includes("https://")) onPaste(text);
  });
  useEffect(() => {
    const stop = new AbortController();
    document.addEventListener("paste", (event) => handlePaste(event), stop);
    return () => stop.abort();
  }, []);
}
