import { Check, Clapperboard, Copy, Pencil } from "lucide-react";
import { useState } from "react";
import type { SavedSet } from "../../api/set-tables.ts";
import { paths } from "../../app/routing/paths.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { LinkButton } from "../../ui/buttons/link-button.tsx";
import { SearchField } from "../../ui/fields/search-field.tsx";
import { Sheet } from "../../ui/dialogs/sheet.tsx";
import { ItemList } from "../editor/item-list.tsx";
import type { ItemLook, SetKind } from "../set-kind.ts";
import { useCopy } from "../../ui/buttons/use-copy.ts";

const SEARCHABLE_ITEMS = 20;

/** `set` is null if it no longer exists. */
export function SetViewer({
  kind,
  set,
  isOpen,
  onEdit,
  onClose,
  ...look
}: ItemLook & {
  kind: SetKind;
  set: SavedSet | null;
  isOpen: boolean;
  onEdit: (set: SavedSet) => void;
  onClose: () => void;
}) {
  const [body, setBody] = useState<HTMLDivElement | null>(null);
  return (
    <Sheet
      isOpen={isOpen}
      title={set?.name ?? kind.texts.title}
      hint={set ? pluralize(set.items.length, kind.item) : undefined}
      bodyRef={setBody}
      onClose={onClose}
      footer={set && <ViewerFooter kind={kind} set={set} onEdit={onEdit} />}
    >
      {set ? <ViewedItems kind={kind} set={set} body={body} {...look} /> : <p>{kind.texts.gone}</p>}
    </Sheet>
  );
}

function ViewerFooter({ kind, set, onEdit }: { kind: SetKind; set: SavedSet; onEdit: (set: SavedSet) => void }) {
  return (
    <>
      <Button look="quiet" icon={Pencil} onClick={() => onEdit(set)}>
        Edit
      </Button>
      <LinkButton look="primary" icon={Clapperboard} to={paths.createJob} search={{ [kind.jobParameter]: set.id }}>
        Use in a new job
      </LinkButton>
    </>
  );
}

function ViewedItems({
  kind,
  set,
  body,
  ...look
}: ItemLook & {
  kind: SetKind;
  set: SavedSet;
  body: HTMLDivElement | null;
}) {
  const { copied, copy } = useCopy();
  const [words, setWords] = useState("");
  const allItems = set.items.join("\n");
  const query = words.trim().toLowerCase();
  const [previewed, preview] = useState(0);
  const { Preview } = kind;
  const shown = set.items
    .map((text, index) => ({ text, number: index + 1 }))
    .filter(({ text }) => query === "" || text.toLowerCase().includes(query));
  return (
    <>
      {Preview && set.items.length > 0 && <Preview item={set.items[previewed] ?? set.items[0]!} />}
      <div className="-my-2 flex gap-2">
        {set.items.length > SEARCHABLE_ITEMS && (
          <SearchField
            label={kind.texts.findItem}
            placeholder={kind.texts.findItem}
            value={words}
            onChange={setWords}
          />
        )}
        <Button
          size="sm"
          look="quiet"
          icon={copied === allItems ? Check : Copy}
          className="-mr-2 ml-auto self-center"
          onClick={() => copy(allItems)}
        >
          {copied === allItems ? "Copied!" : "Copy all"}
        </Button>
      </div>
      {shown.length === 0 ? (
        <p className="text-ink-3">No {kind.item} matches your search.</p>
      ) : (
        <ItemList
          items={shown}
          scroller={body}
          copied={copied}
          shown={Preview ? previewed + 1 : null}
          {...look}
          onCopy={copy}
          onShow={Preview && ((number) => preview(number - 1))}
        />
      )}
    </>
  );
}
