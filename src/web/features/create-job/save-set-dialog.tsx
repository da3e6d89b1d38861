import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { JOB_LIMITS } from "#contract/jobs.ts";
import { addAudioSet, addCaptionSet } from "../../api/set-functions.ts";
import type { SavedSet, SetDraft } from "../../api/set-tables.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useToast } from "../../ui/use-toast.ts";
import { countOf } from "./describe-plan.ts";
import { quoteName } from "./set-text.ts";
import { SET_TEXTS, whyNotSaved, type SetKind } from "./set-texts.ts";

/** Asks for the name of a new set. It stays open, with the name in it, until the set is saved. */
export function SaveSetDialog({
  kind,
  isOpen,
  items,
  onClose,
  onSaved,
}: {
  kind: SetKind;
  isOpen: boolean;
  items: readonly string[];
  onClose: () => void;
  onSaved: (set: SavedSet) => void;
}) {
  const toast = useToast();
  const [name, setName] = useState("");
  const texts = SET_TEXTS[kind];
  const { mutate, isPending } = useMutation({
    mutationFn: (draft: SetDraft) => (kind === "caption" ? addCaptionSet(draft) : addAudioSet(draft)),
    onSuccess: (set) => {
      toast.show({
        title: texts.saved,
        description: `${quoteName(set.name)}: ${countOf(set.items.length, texts.item)}`,
        variant: "success",
      });
      onSaved(set);
      setName("");
      onClose();
    },
    onError: () => toast.show({ title: "Error", description: texts.failedToSave, variant: "destructive" }),
  });

  function handleSubmit() {
    if (isPending) return;
    const problem = whyNotSaved(kind, name, items);
    if (problem) toast.show({ title: "Error", description: problem, variant: "destructive" });
    else mutate({ name: name.trim(), items: [...items] });
  }
  return (
    <Dialog
      isOpen={isOpen}
      title={texts.saveTitle}
      text={countOf(items.length, texts.item)}
      onClose={onClose}
      onSubmit={handleSubmit}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="primary" isBusy={isPending}>
            Save set
          </Button>
        </>
      }
    >
      <TextField
        label="Set name"
        value={name}
        autoComplete="off"
        maxLength={JOB_LIMITS.nameCharacters}
        onChange={(event) => setName(event.target.value)}
      />
    </Dialog>
  );
}
