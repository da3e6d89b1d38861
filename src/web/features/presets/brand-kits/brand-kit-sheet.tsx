import { useState } from "react";
import type { BrandKit } from "#contract/presets/presets.ts";
import { brandKitTable } from "../../../api/preset-tables.ts";
import { EditorSheet } from "../../../editors/editor-sheet.tsx";
import { useOpened } from "../../../editors/use-opened.ts";
import { useSaving } from "../../../editors/use-saving.ts";
import { quoteName } from "../../../jobs/row/cut-text.ts";
import { usePresetLists } from "../../../presets/use-presets.ts";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { requireRow } from "../use-run-change.ts";
import { KitFields } from "./kit-fields.tsx";
import { type KitForm, readKitColor, settingsOfForm, toKitForm } from "./kit-form.ts";

type SheetProps = {
  opened: BrandKit | "new" | null;
  onClose: () => void;
};

export function BrandKitSheet({ opened, onClose }: SheetProps) {
  const shown = useOpened(opened);
  return shown && <OpenedSheet key={shown.opening} kit={shown.item} isOpen={shown.isOpen} onClose={onClose} />;
}

function OpenedSheet({ kit, isOpen, onClose }: { kit: BrandKit | null; isOpen: boolean; onClose: () => void }) {
  const toast = useToast();
  const { putBrandKit, refetch } = usePresetLists();
  const { isBusy, failure, setFailure, save } = useSaving("brand kit");
  const logoUpload = useExclusiveAction();
  const [initial] = useState(() => toKitForm(kit));
  const [form, setForm] = useState(initial);

  async function submit() {
    const draft = { name: form.name.trim(), settings: settingsOfForm(form) };
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
  }
  return (
    <EditorSheet
      noun="brand kit"
      title={kit ? "Edit brand kit" : "New brand kit"}
      hint="Replaces these settings in presets that use it"
      saveLabel={kit ? "Save changes" : "Add brand kit"}
      isDirty={JSON.stringify(form) !== JSON.stringify(initial)}
      onSubmit={(event) => {
        event.preventDefault();
        if (logoUpload.isBusy) return;
        const fault = faultOf(form);
        if (fault === null) void save(submit);
        else setFailure(fault);
      }}
      isBusy={isBusy || logoUpload.isBusy}
      {...{ isOpen, failure, onClose }}
    >
      <KitFields
        form={form}
        logoUpload={logoUpload}
        onChange={(change) => {
          setForm((last) => ({ ...last, ...change }));
          setFailure(null);
        }}
      />
    </EditorSheet>
  );
}

function faultOf(form: KitForm): string | null {
  if (form.name.trim() === "") return "Enter a name.";
  const colors = ["caption_color", "caption_box_color"] as const;
  return colors.some((name) => readKitColor(name, form[name]) === null) ? "Enter a color such as #ffcc00." : null;
}
