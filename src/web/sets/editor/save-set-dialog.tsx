import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { JOB_LIMITS } from "#contract/jobs/jobs.ts";
import type { SavedSet } from "../../api/set-tables.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { useProblemToast } from "../../ui/toasts/use-toast.ts";

/** Stays open and keeps the name until the set is saved. */
export function SaveSetDialog({
  isOpen,
  title,
  text,
  failedToSave,
  problemOf,
  save,
  onSaved,
  onClose,
}: {
  isOpen: boolean;
  title: string;
  /** Describes the set's content. */
  text: string;
  failedToSave: string;
  /** Returns why the name cannot be used, or null. */
  problemOf: (name: string) => string | null;
  save: (name: string) => Promise<SavedSet>;
  onSaved: (set: SavedSet) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState("");
  const problemToast = useProblemToast<{ title: string; description: string; name: string }>(
    (problem) => !isOpen || (problem.name !== name && problemOf(name) !== problem.description),
  );
  const { mutate, isPending } = useMutation({
    mutationFn: save,
    onSuccess: (set) => {
      onSaved(set);
      setName("");
      onClose();
    },
    onError: () => problemToast.show({ title: "Error", description: failedToSave, name }),
  });

  function handleSubmit() {
    if (isPending) return;
    problemToast.dismiss();
    const problem = problemOf(name);
    if (problem) problemToast.show({ title: "Error", description: problem, name });
    else mutate(name.trim());
  }
  return (
    <Dialog
      isOpen={isOpen}
      title={title}
      text={text}
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
