import { type ReactNode, useState } from "react";
import { PRESET_LIMITS } from "#contract/presets/presets.ts";
import { CallError } from "../api/functions/call-error.ts";
import { Button } from "../ui/buttons/button.tsx";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { TextField } from "../ui/fields/text-field.tsx";
import { useExclusiveAction } from "../ui/use-exclusive-action.ts";

/** Stays open and keeps the input until `save` resolves. */
export function PresetNameDialog({
  isOpen,
  title,
  text,
  submitLabel,
  initialName,
  save,
  onClose,
  children,
}: {
  isOpen: boolean;
  title: string;
  text: string;
  submitLabel: string;
  initialName: string;
  save: (name: string) => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}) {
  const { isBusy, run } = useExclusiveAction();
  const [name, setName] = useState(initialName);
  const [problem, setProblem] = useState<string | undefined>();

  async function submit() {
    if (name.trim() === "") {
      setProblem("Enter a name.");
      return;
    }
    try {
      await save(name.trim());
      // The next new preset gets a new name.
      if (initialName === "") setName("");
      onClose();
    } catch (error) {
      setProblem(error instanceof CallError ? error.message : "Couldn't save the preset");
    }
  }
  return (
    <Dialog
      isOpen={isOpen}
      title={title}
      text={text}
      onClose={onClose}
      onSubmit={() => void run(submit)}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <TextField
        label="Preset name"
        value={name}
        error={problem}
        autoComplete="off"
        maxLength={PRESET_LIMITS.nameCharacters}
        onChange={(event) => {
          setName(event.target.value);
          setProblem(undefined);
        }}
      />
      {children}
    </Dialog>
  );
}
