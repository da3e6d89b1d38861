import { useQueryClient } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { type ChangeEvent, useEffect, useEffectEvent } from "react";
import type { LibraryResponse } from "#contract/calls.ts";
import type { UploadUse } from "#contract/library.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { splitAtCommas } from "../../sets/editor/splitting/split-at-commas.ts";
import { SourceList } from "../../sources/source-list.tsx";
import { AddFiles, UploadRows } from "../../sources/uploads/add-files.tsx";
import { DropTarget } from "../../sources/uploads/drop-target.tsx";
import { FormUploads } from "../../sources/uploads/form-uploads.ts";
import { insertInOrder } from "../../sources/uploads/insert-in-order.ts";
import {
  labUploads,
  useDuplicateToasts,
  useInterruptedUploads,
  useLeaveWarning,
  useUploads,
} from "../../sources/uploads/use-uploads.ts";
import { libraryKey } from "../../sources/use-library.ts";
import { TextAreaField } from "../../ui/fields/text-area-field.tsx";
import { Icon } from "../../ui/page/icon.tsx";
import { WarningNote } from "../../ui/states/warning-note.tsx";
import type { LabVideos } from "./lab-videos.ts";
import { describeBadLinks, type ReadLinks } from "./read-links.ts";

const DROP = "Drop to upload to the library";
const DROP_LABELS = { video: DROP, music: DROP, image: DROP, subtitles: DROP } as const satisfies Record<
  UploadUse,
  string
>;

/** Takes links as text, and uploads and library files, which are listed by name. */
export function VideosArea({
  videos: { text, files },
  links,
  onType,
  onChangeFiles,
  onRemove,
}: {
  videos: LabVideos;
  links: ReadLinks;
  onType: (text: string) => void;
  onChangeFiles: (change: (files: readonly string[]) => string[]) => void;
  onRemove: (file: string) => void;
}) {
  useArrivals(onChangeFiles);
  useInterruptedUploads(labUploads, "lab");
  useLeaveWarning(labUploads);
  useDuplicateToasts(labUploads);
  return (
    <FormUploads value={labUploads}>
      <div className="grid grid-cols-1 gap-2">
        <LinksField text={text} links={links} onChange={onType} />
        <SourceList links={files} onRemove={onRemove} />
        <UploadRows use="video" links={files} isListed />
        <div className="-ml-2 flex flex-wrap items-center gap-1">
          <AddFiles use="video" links={files} isMenu={false} />
        </div>
      </div>
      <DropTarget store={labUploads} use="video" labels={DROP_LABELS} />
    </FormUploads>
  );
}

/** Accepts one link per line; commas become line breaks. */
function LinksField({ text, links, onChange }: { text: string; links: ReadLinks; onChange: (text: string) => void }) {
  const problem = describeBadLinks(links);
  function handleChange({ target }: ChangeEvent<HTMLTextAreaElement>) {
    const split = splitAtCommas({ text: target.value, caret: target.selectionEnd });
    if (split) {
      target.value = split.text;
      target.setSelectionRange(split.caret, split.caret);
    }
    onChange(target.value);
  }
  return (
    <TextAreaField
      label="Video links"
      rows={4}
      value={text}
      placeholder={"Paste links, or drop videos here\nhttps://drive.google.com/file/d/…"}
      autoCapitalize="off"
      className="raw"
      onChange={handleChange}
      hint={
        <div className="grid gap-1">
          <div className="flex flex-wrap items-center gap-x-3">
            {links.valid > 0 && (
              <span className="tnum inline-flex items-center gap-[5px] text-ink-2">
                <Icon icon={Check} size={14} className="shrink-0 text-completed" />
                {pluralize(links.valid, "valid link")}
              </span>
            )}
            <span>One per line. Share each file as "Anyone with the link".</span>
          </div>
          {problem && <WarningNote text={problem} />}
        </div>
      }
    />
  );
}

/** Adds finished uploads and files chosen from the library. */
function useArrivals(onChangeFiles: (change: (files: readonly string[]) => string[]) => void): void {
  const { arrived, uploads } = useUploads(labUploads);
  const client = useQueryClient();
  const add = useEffectEvent(() => {
    const { video } = labUploads.takeArrived();
    const sent = uploads.flatMap(({ state }) => (state.kind === "done" ? [state.file] : []));
    const sentIds = new Set(sent.map(({ id }) => id));
    // Names the new files until the library is fetched again.
    client.setQueryData<LibraryResponse>(
      libraryKey,
      (known) => known && { ...known, data: [...known.data.filter(({ id }) => !sentIds.has(id)), ...sent] },
    );
    void client.invalidateQueries({ queryKey: libraryKey });
    onChangeFiles((files) => insertInOrder(files, video, { uploads }, "video"));
  });
  useEffect(() => {
    if (arrived.video.length > 0) add();
  }, [arrived]);
}
