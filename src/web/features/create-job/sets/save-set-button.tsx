import { BookmarkPlus } from "lucide-react";
import { useState } from "react";
import { addAudioSet, addCaptionSet } from "../../../api/functions/set-functions.ts";
import type { SavedSet } from "../../../api/set-tables.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { SaveSetDialog } from "../../../sets/editor/save-set-dialog.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { quoteName } from "../../../jobs/row/cut-text.ts";
import { SET_TEXTS, saveProblem, type SetKind } from "./set-texts.ts";
import type { ChosenSet } from "./use-chosen-set.ts";
import type { SavedSets } from "../draft/use-initial-data.ts";

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
  const toast = useToast();
  const [isOpen, setIsOpen] = useState(false);
  // Stays mounted to animate out.
  const [wasOpened, setWasOpened] = useState(false);
  const texts = SET_TEXTS[kind];
  const add = kind === "caption" ? addCaptionSet : addAudioSet;

  function open() {
    setIsOpen(true);
    setWasOpened(true);
  }
  function handleSaved(set: SavedSet) {
    const description = `${quoteName(set.name)}: ${pluralize(set.items.length, texts.item)}`;
    toast.show({ title: texts.saved, description, variant: "success" });
    saved.add(set);
    chosen.adopt(set);
  }
  return (
    <>
      <Button look="quiet" icon={BookmarkPlus} onClick={open}>
        Save as set
      </Button>
      {wasOpened && (
        <SaveSetDialog
          isOpen={isOpen}
          title={texts.saveTitle}
          text={pluralize(items.length, texts.item)}
          failedToSave={texts.failedToSave}
          problemOf={(name) => saveProblem(kind, name, items)}
          save={(name) => add({ name, items: [...items] })}
          onSaved={handleSaved}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
