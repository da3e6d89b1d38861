import { Trash2 } from "lucide-react";
import { memo } from "react";
import type { LibraryFile } from "#contract/calls.ts";
import type { UploadUse } from "#contract/library.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { ListenButton } from "../listen-button.tsx";
import { SourcePicture } from "../source-picture.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Checkbox } from "../../ui/fields/checkbox.tsx";
import { formatClipLength, formatFileSize } from "../../ui/text/length-and-size.ts";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { SearchField } from "../../ui/fields/search-field.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { GrowingList } from "../../ui/page/growing-list.tsx";
import { tooltipWhenCut } from "../../ui/page/tooltip.ts";
import type { LibraryChoice } from "./use-library-choice.ts";

const NOUNS = {
  video: "videos",
  music: "music",
  image: "an image",
  subtitles: "a subtitle file",
} as const satisfies Record<UploadUse, string>;

export function LibraryFiles({
  choice,
  use,
  isSingle,
  onPick,
  onDelete,
}: {
  choice: LibraryChoice;
  use: UploadUse;
  isSingle: boolean;
  onPick: (file: LibraryFile) => void;
  onDelete: (file: LibraryFile) => void;
}) {
  const { files, shown, words } = choice;
  if (!files) return <LoadingFiles />;
  if (files.length === 0) {
    const text = `Upload ${NOUNS[use]}, or drop files anywhere on this page.`;
    return <EmptyState title="No files yet" text={text} />;
  }
  return (
    <div className="grid min-w-0 gap-3">
      <SearchField label="Search the library" placeholder="Search by name" value={words} onChange={choice.setWords} />
      {shown.length === 0 ? (
        <EmptyState
          title="No files found"
          text="No file in the library matches this name."
          action={<Button onClick={() => choice.setWords("")}>Clear filters</Button>}
        />
      ) : (
        <>
          <div className="flex items-center gap-3">
            {!isSingle && (
              <Checkbox
                label={words.trim() === "" ? "Select all" : "Select all results"}
                checked={choice.areAllChosen}
                isMixed={choice.areSomeChosen && !choice.areAllChosen}
                disabled={choice.isEmpty}
                onChange={choice.toggleAll}
              />
            )}
            <span className="tnum ml-auto text-12 text-ink-3">{pluralize(shown.length, "file")}</span>
          </div>
          <ul aria-label="Files" className="-mx-2 max-h-[min(420px,44dvh)] overflow-auto px-2">
            <GrowingList items={shown}>
              {(file) =>
                isSingle ? (
                  <SingleRow
                    key={file.id}
                    file={file}
                    isHeld={choice.isHeld(file)}
                    onPick={onPick}
                    onDelete={onDelete}
                  />
                ) : (
                  <FileRow
                    key={file.id}
                    file={file}
                    isHeld={choice.isHeld(file)}
                    isChosen={choice.isChosen(file)}
                    use={use}
                    onToggle={choice.toggle}
                    onDelete={onDelete}
                  />
                )
              }
            </GrowingList>
          </ul>
        </>
      )}
    </div>
  );
}

type FileRowProps = {
  file: LibraryFile;
  isHeld: boolean;
  isChosen: boolean;
  use: UploadUse;
  onToggle: (id: string) => void;
  onDelete: (file: LibraryFile) => void;
};

const FileRow = memo(function FileRow({ file, isHeld, isChosen, use, onToggle, onDelete }: FileRowProps) {
  return (
    <li className="flex items-center gap-3 border-t border-line py-1 first:border-t-0">
      <Checkbox
        label={file.name}
        isLabelHidden
        checked={isHeld || isChosen}
        disabled={isHeld}
        onChange={() => onToggle(file.id)}
      />
      {/* Pointer only; keyboards and screen readers use the checkbox. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        className="flex min-w-0 flex-1 cursor-pointer items-center gap-3"
        onClick={() => !isHeld && onToggle(file.id)}
      >
        <SourcePicture file={file} size={use === "music" && file.thumbnailUrl === null ? "small" : "large"} />
        <FileText file={file} isHeld={isHeld} />
      </div>
      <span className="flex shrink-0">
        {use === "music" && <ListenButton file={file} />}
        <IconButton icon={Trash2} label={`Delete ${file.name}`} onClick={() => onDelete(file)} />
      </span>
    </li>
  );
});

/** The field has one file; picking another replaces it. */
function SingleRow({
  file,
  isHeld,
  onPick,
  onDelete,
}: {
  file: LibraryFile;
  isHeld: boolean;
  onPick: (file: LibraryFile) => void;
  onDelete: (file: LibraryFile) => void;
}) {
  return (
    <li className="flex items-center gap-3 border-t border-line py-1 first:border-t-0">
      <SourcePicture file={file} size="large" />
      <FileText file={file} isHeld={isHeld} />
      <Button size="sm" aria-label={`Use ${file.name}`} disabled={isHeld} onClick={() => onPick(file)}>
        Use
      </Button>
      <IconButton icon={Trash2} label={`Delete ${file.name}`} onClick={() => onDelete(file)} />
    </li>
  );
}

function FileText({ file, isHeld }: { file: LibraryFile; isHeld: boolean }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="block truncate text-ink" {...tooltipWhenCut(file.name)}>
        {file.name}
      </span>
      <span className="tnum block text-12 text-ink-3">{describe(file, isHeld)}</span>
    </span>
  );
}

function LoadingFiles() {
  return (
    <div aria-busy className="grid gap-3">
      <Skeleton className="h-8" />
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex items-center gap-3">
          <Skeleton className="h-16 w-9" />
          <Skeleton className="h-4 flex-1" />
        </div>
      ))}
    </div>
  );
}

function describe({ kind, durationSeconds, sizeBytes, isSample }: LibraryFile, isHeld: boolean): string {
  const facts = [
    ...(kind === "image" || kind === "subtitles" ? [] : [formatClipLength(durationSeconds)]),
    formatFileSize(sizeBytes),
  ];
  if (isSample) facts.push("Sample");
  if (isHeld) facts.push("Already added");
  return facts.join(" · ");
}
