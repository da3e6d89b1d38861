import { Clapperboard, Trash2 } from "lucide-react";
import { Suspense, useEffect, useMemo, useRef, useState } from "react";
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
import { type FileActions, LibraryTile } from "./library-tile.tsx";
import { TagsDialog } from "./tags-dialog.tsx";
import { useJobFromFiles } from "./use-job-from-files.ts";

const FileViewer = lazyPart(() => import("./file-viewer.tsx"));

const SKELETONS = ["a", "b", "c", "d", "e", "f"];
const TILE_HEIGHT_PX = 284;
const LEAST_TILE_PX = 216;
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
      <div className="flex min-h-8 items-center px-6 pb-2 max-desk:min-h-11 max-desk:px-4">
        <Checkbox
          label="Select all files shown"
          checked={isAll}
          isMixed={selected.length > 0 && !isAll}
          onChange={isAll ? clear : selectAll}
        />
      </div>
      <WindowList
        list={list}
        label="Files"
        className="mx-4 mb-4 max-desk:mx-2"
        items={files}
        rowPx={TILE_HEIGHT_PX}
        phoneRowPx={TILE_HEIGHT_PX}
        tilePx={LEAST_TILE_PX}
      >
        {(file) => (
          <LibraryTile
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

export function LibrarySkeleton() {
  return (
    <ul
      aria-busy
      aria-label="Loading files"
      className="mx-4 mt-10 grid grid-cols-[repeat(auto-fill,minmax(min(216px,50%),1fr))] max-desk:mx-2 max-desk:mt-13"
    >
      {SKELETONS.map((key) => (
        <li key={key} className="grid h-[284px] content-start gap-2 p-2">
          <Skeleton className="h-40" />
          <Skeleton className="h-4 w-3/5" />
          <Skeleton className="h-3 w-4/5" />
        </li>
      ))}
    </ul>
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
