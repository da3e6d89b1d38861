import { useState } from "react";
import type { BrandKit } from "#contract/presets/presets.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { brandKitTable } from "../../../api/preset-tables.ts";
import { quoteName } from "../../../jobs/row/quote-name.ts";
import { usePresetLists } from "../../../presets/use-presets.ts";
import { useLeaveConfirmation } from "../../../sets/editor/use-leave-confirmation.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { Sheet } from "../../../ui/dialogs/sheet.tsx";
import { ErrorBox } from "../../../ui/states/error-box.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { requireRow } from "../use-run-change.ts";
import { KitFields } from "./kit-fields.tsx";
import { type KitForm, readKitColor, settingsOfForm, toKitForm } from "./kit-form.ts";

/** Adds or changes a brand kit; null adds one. Mount it anew for each opening. */
export function BrandKitSheet({
  kit,
  isOpen,
  onClose,
}: {
  kit: BrandKit | null;
  isOpen: boolean;
  onClose: () => void;
}) {
  const toast = useToast();
  const { putBrandKit, refetch } = usePresetLists();
  const { isBusy, run } = useExclusiveAction();
  const [initial] = useState(() => toKitForm(kit));
  const [form, setForm] = useState(initial);
  const [problem, setProblem] = useState<string | null>(null);
  const isChanged = JSON.stringify(form) !== JSON.stringify(initial);
  const leave = useLeaveConfirmation(isOpen && isChanged, onClose);

  async function save() {
    const fault = faultOf(form);
    setProblem(fault);
    if (fault !== null) return;
    const draft = { name: form.name.trim(), settings: settingsOfForm(form) };
    try {
      const saved = kit
        ? requireRow(
            await brandKitTable.change(kit.id, { ...draft, version: kit.version }),
            "This brand kit no longer exists.",
          )
        : await brandKitTable.add(draft);
      putBrandKit(saved);
      toast.show({ title: "Brand Kit Saved", description: `${quoteName(saved.name)} was saved.`, variant: "success" });
      setForm(initial);
      onClose();
      void refetch();
    } catch (error) {
      setProblem(error instanceof CallError ? error.message : "Couldn't save the brand kit");
    }
  }
  return (
    <Sheet
      isOpen={isOpen}
      title={kit ? "Edit brand kit" : "New brand kit"}
      hint="Replaces these settings in presets that use it"
      onClose={leave.ask}
      onSubmit={(event) => {
        event.preventDefault();
        void run(save);
      }}
      footer={
        <>
          <Button look="quiet" onClick={leave.ask}>
            Cancel
          </Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {kit ? "Save changes" : "Add brand kit"}
          </Button>
        </>
      }
    >
      <KitFields
        form={form}
        onChange={(change) => {
          setForm((last) => ({ ...last, ...change }));
          setProblem(null);
        }}
      />
      {problem !== null && (
        <div role="alert">
          <ErrorBox text={problem} />
        </div>
      )}
      <ConfirmDialog
        isOpen={leave.isAsking}
        title="Discard changes?"
        text="Your changes to this brand kit won't be saved."
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        onConfirm={leave.confirm}
        onClose={leave.stay}
      />
    </Sheet>
  );
}

function faultOf(form: KitForm): string | null {
  if (form.name.trim() === "") return "Enter a name.";
  const colors = ["caption_color", "caption_box_color"] as const;
  return colors.some((name) => readKitColor(name, form[name]) === null) ? "Enter a color such as #ffcc00." : null;
}
