import { BookmarkPlus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { SaveSetDialog } from "./save-set-dialog.tsx";
import type { SetKind } from "./set-texts.ts";
import type { ChosenSet } from "./use-chosen-set.ts";
import type { SavedSets } from "./use-initial-data.ts";

/** Saves what a section's field holds as a set of its own, under a name that a dialog asks for. */
export function SaveSetButton({
  kind,
  items,
  saved,
  chosen,
}: {
  kind: SetKind;
  items: readonly string[];
  saved: SavedSets;
  chosen: ChosenSet;
}) {
  const [isOpen, setIsOpen] = useState(false);
  // Once opened it stays mounted, so that it can fade out.
  const [wasOpened, setWasOpened] = useState(false);
  function open() {
    setIsOpen(true);
    setWasOpened(true);
  }
  return (
    <>
      <Button look="quiet" icon={BookmarkPlus} onClick={open}>
        Save as set
      </Button>
      {wasOpened && (
        <SaveSetDialog
          kind={kind}
          isOpen={isOpen}
          items={items}
          onClose={() => setIsOpen(false)}
          onSaved={(set) => {
            saved.add(set);
            chosen.adopt(set);
          }}
        />
      )}
    </>
  );
}
