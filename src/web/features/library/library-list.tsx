import { Clapperboard, Trash2 } from "lucide-react";
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from "react";
import type { LibraryFile } from "#contract/calls.ts";
import { formatCount } from "../../jobs/row/pluralize.ts";
import { DeleteFiles } from "../../sources/library/delete-files.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Checkbox } from "../../ui/fields/checkbox.tsx";
import { lazyPart } from "../../ui/page/lazy-part.ts";
import { WindowList } from "../../ui/page/window-list.tsx";
import { SelectionToolbar } from "../../ui/selection/selection-toolbar.tsx";
import { useSelection } from "../../ui/selection/use-selection.ts";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { type FileActions, libraryColumns, LibraryRow } from "./library-row.tsx";
import { TagsDialog } from "./tags-dialog.tsx";
import { useJobFromFiles } from "./use-job-from-files.ts";

const FileViewer = lazyPart(() => import("./file-viewer.tsx"));

const SKELETONS = ["a", "b", "c", "d", "e", "f"];
const ROW_PX = 61;
const PHONE_ROW_PX = 73;
const NOTHING: readonly LibraryFile[] = [];

/** Kept during the closing animation. `opening` makes each opening a new dialog. */
type Opened = { file: LibraryFile; isOpen: boolean; opening: number } | null;

function openFile(file: LibraryFile): (before: Opened) => Opened {
  return (before) => ({ file, isOpen: true, opening: (before?.opening ?? 0) + 1 });
}

export function LibraryList({ files, tags }: { files: readonly LibraryFile[]; tags: readonly string[] }) {
  const list = useRef<HTMLUListElement>(null);
  const { ids, selected, handleToggle, selectAll, clear } = useSelection(files);
  const [renamedId, setRenamedId] = useState<string | null>(null);
  const [viewed, setViewed] = useState<Opened>(null);
  const [tagged, setTagged] = useState<Opened>(null);
  const [toDelete, setToDelete] = useState(NOTHING);
  const startJob = useJobFromFiles();
  const latestStart = useRef(startJob);
  useEffect(() => {
    latestStart.current = startJob;
  });
  // Stable, so that rows do not rerender.
  const actions: FileActions = useMemo(
    () => ({
      onView: (file) => setViewed(openFile(file)),
      onUse: (file) => latestStart.current([file]),
      onRename: (file) => setRenamedId(file?.id ?? null),
      onTag: (file) => setTagged(openFile(file)),
      onDelete: (file) => setToDelete([file]),
      onToggle: handleToggle,
    }),
    [handleToggle],
  );
  const isAll = selected.length === files.length;

  const before = useRef({ files: 0, selected: 0 });
  useEffect(() => {
    const hasLess = files.length < before.current.files || selected.length < before.current.selected;
    before.current = { files: files.length, selected: selected.length };
    // Focus may have been on a deleted row or the closed bar; move it to the list.
    if (hasLess && document.activeElement === document.body) list.current?.focus({ preventScroll: true });
  }, [files.length, selected.length]);

  return (
    <div className="has-[[role=toolbar]]:pb-16">
      <LibraryHead
        check={
          <Checkbox
            label="Select all files shown"
            isLabelHidden
            checked={isAll}
            isMixed={selected.length > 0 && !isAll}
            onChange={isAll ? clear : selectAll}
          />
        }
      />
      <WindowList list={list} label="Files" items={files} rowPx={ROW_PX} phoneRowPx={PHONE_ROW_PX}>
        {(file) => (
          <LibraryRow
            file={file}
            isSelected={ids.has(file.id)}
            isSelecting={selected.length > 0}
            isRenaming={renamedId === file.id}
            {...actions}
          />
        )}
      </WindowList>
      {selected.length > 0 && (
        <LibrarySelection
          selected={selected}
          onUse={() => startJob(selected)}
          onDelete={() => setToDelete(selected)}
          onClear={clear}
        />
      )}
      {viewed && (
        <Suspense>
          <FileViewer
            key={viewed.opening}
            file={viewed.file}
            isOpen={viewed.isOpen}
            onClose={() => setViewed({ ...viewed, isOpen: false })}
          />
        </Suspense>
      )}
      {tagged && (
        <TagsDialog
          key={tagged.opening}
          file={tagged.file}
          known={tags}
          isOpen={tagged.isOpen}
          onClose={() => setTagged({ ...tagged, isOpen: false })}
        />
      )}
      <DeleteFiles files={toDelete} onClose={() => setToDelete(NOTHING)} />
    </div>
  );
}

function LibraryHead({ check }: { check?: ReactNode }) {
  return (
    <div
      className={`mx-6 grid items-center gap-x-4 border-b border-line pb-1.5 text-11 font-medium text-ink-3 max-desk:hidden ${libraryColumns}`}
    >
      <span className="flex">{check}</span>
      <span />
      <span>Name</span>
      <span className="text-right">Length</span>
      <span className="text-right">Size</span>
      <span className="text-right">Used</span>
      <span className="text-right max-wide:hidden">Added</span>
    </div>
  );
}

export function LibrarySkeleton() {
  return (
    <>
      <LibraryHead />
      <ul aria-busy aria-label="Loading files" className="px-3 pb-3 max-desk:px-0 max-desk:pb-4">
        {SKELETONS.map((key) => (
          <li
            key={key}
            className={`grid min-h-15 items-center gap-x-4 px-3 py-2 max-desk:grid-cols-[40px_minmax(0,1fr)] max-desk:px-4 ${libraryColumns}`}
          >
            <Skeleton className="size-4 max-desk:hidden" />
            <Skeleton className="h-10 w-[23px] justify-self-center" />
            <Skeleton className="h-3 w-3/5" />
            <Skeleton className="ml-auto h-3 w-8 max-desk:hidden" />
            <Skeleton className="ml-auto h-3 w-12 max-desk:hidden" />
            <Skeleton className="ml-auto h-3 w-14 max-desk:hidden" />
            <Skeleton className="ml-auto h-3 w-20 max-wide:hidden" />
          </li>
        ))}
      </ul>
    </>
  );
}

function LibrarySelection({
  selected,
  onUse,
  onDelete,
  onClear,
}: {
  selected: readonly LibraryFile[];
  onUse: () => void;
  onDelete: () => void;
  onClear: () => void;
}) {
  return (
    <SelectionToolbar label="Selected files" count={`${formatCount(selected.length)} selected`} onClear={onClear}>
      <Button look="quiet" icon={Clapperboard} className="max-desk:px-2" onClick={onUse}>
        <span>
          Use<span className="max-desk:sr-only"> in a new job</span>
        </span>
      </Button>
      <Button look="quiet" icon={Trash2} className="max-desk:px-2" onClick={onDelete}>
        Delete
      </Button>
    </SelectionToolbar>
  );
}
