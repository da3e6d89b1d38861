import { Plus } from "lucide-react";
import { useDeferredValue, useMemo, useState, useCallback } from "react";
import type { SavedSet } from "../api/set-tables.ts";
import { pluralize, formatCount } from "../jobs/row/pluralize.ts";
import { Button } from "../ui/buttons/button.tsx";
import { PageHead } from "../ui/page/page-head.tsx";
import { Pane } from "../ui/dialogs/pane.tsx";
import { SearchField } from "../ui/fields/search-field.tsx";
import { DeleteSetDialog } from "./list/delete-set-dialog.tsx";
import { createButtonId, SetContent } from "./list/set-content.tsx";
import { deleteButtonId, editButtonId, type SetActions } from "./list/set-card.tsx";
import { SetEditor } from "./editor/set-editor.tsx";
import type { ItemLook, SetKind } from "./set-kind.ts";
import { SetViewer } from "./list/set-viewer.tsx";
import { useSetSearch } from "./list/use-set-search.ts";
import { useSets } from "./use-sets.ts";

export function SetsPage({ kind, nameItem, itemTools }: { kind: SetKind } & ItemLook) {
  const query = useSets(kind);
  const { words, setWords, viewedId, view } = useSetSearch(kind);
  const editor = useOpening<SavedSet | null>();
  const deletion = useOpening<SavedSet>();
  const shownWords = useDeferredValue(words);
  const sets = query.data;

  const { open: edit } = editor;
  const { open: askToDelete } = deletion;
  const actions: SetActions = useMemo(
    () => ({ onView: (set) => view(set.id), onEdit: edit, onDelete: askToDelete }),
    [view, edit, askToDelete],
  );
  function handleEditViewed(set: SavedSet) {
    view("");
    edit(set);
  }
  return (
    <Pane>
      <PageHead title={kind.texts.title} subtitle={describeSets(sets, kind)}>
        {sets?.length !== 0 && (
          <>
            <div className="w-60 max-wide:w-[180px] max-desk:w-auto max-desk:flex-1">
              <SearchField
                label={kind.texts.search}
                placeholder={kind.texts.searchPlaceholder}
                value={words}
                onChange={setWords}
              />
            </div>
            <Button
              id={createButtonId}
              look="primary"
              icon={Plus}
              // the search field needs the room on phones
              className="max-desk:[&>svg]:hidden"
              onClick={() => edit(null)}
            >
              Create New Set
            </Button>
          </>
        )}
      </PageHead>
      <SetContent
        kind={kind}
        query={query}
        words={shownWords}
        nameItem={nameItem}
        actions={actions}
        onCreate={() => edit(null)}
        onClear={() => setWords("")}
      />
      <ViewedSet
        kind={kind}
        sets={sets}
        viewedId={viewedId}
        nameItem={nameItem}
        itemTools={itemTools}
        onEdit={handleEditViewed}
        onClose={() => view("")}
      />
      {editor.last && (
        <SetEditor
          key={editor.last.opening}
          kind={kind}
          set={editor.last.subject}
          sets={sets}
          isOpen={editor.isOpen}
          returnFocusTo={() => findButton(editor.last?.subject ? editButtonId(editor.last.subject.id) : createButtonId)}
          onClose={editor.close}
        />
      )}
      {deletion.last && (
        <DeleteSetDialog
          key={deletion.last.opening}
          kind={kind}
          set={deletion.last.subject}
          isOpen={deletion.isOpen}
          returnFocusTo={() => deletion.last && findButton(deleteButtonId(deletion.last.subject.id))}
          onClose={deletion.close}
        />
      )}
    </Pane>
  );
}

function ViewedSet({
  kind,
  sets,
  viewedId,
  onEdit,
  onClose,
  ...look
}: ItemLook & {
  kind: SetKind;
  sets: readonly SavedSet[] | undefined;
  viewedId: string;
  onEdit: (set: SavedSet) => void;
  onClose: () => void;
}) {
  const [lastId, setLastId] = useState("");
  // Keeps the set during the closing animation.
  if (viewedId !== "" && viewedId !== lastId) setLastId(viewedId);
  if (!sets || lastId === "") return null;
  return (
    <SetViewer
      key={lastId}
      kind={kind}
      set={sets.find(({ id }) => id === lastId) ?? null}
      isOpen={viewedId !== ""}
      {...look}
      onEdit={onEdit}
      onClose={onClose}
    />
  );
}

/** Falls back to the create button if the card is gone. */
function findButton(id: string): HTMLElement | null {
  return document.getElementById(id) ?? document.getElementById(createButtonId);
}

function describeSets(sets: readonly SavedSet[] | undefined, { texts, item }: SetKind): string {
  if (!sets || sets.length === 0) return texts.subtitle;
  const items = sets.reduce((sum, set) => sum + set.items.length, 0);
  return `${formatCount(sets.length)} ${sets.length === 1 ? "set" : "sets"} · ${pluralize(items, item)}`;
}

/** Keeps `last` for the closing animation. */
function useOpening<Subject>() {
  const [last, setLast] = useState<{ subject: Subject; opening: number } | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const open = useCallback((subject: Subject) => {
    setLast((before) => ({ subject, opening: (before?.opening ?? 0) + 1 }));
    setIsOpen(true);
  }, []);
  const close = useCallback(() => setIsOpen(false), []);
  return { last, isOpen, open, close };
}
