import { Plus } from "lucide-react";
import { useState } from "react";
import type { BrandKit, Preset } from "#contract/presets/presets.ts";
import { brandKitTable } from "../../../api/preset-tables.ts";
import { EditorSheet } from "../../../editors/editor-sheet.tsx";
import { useOpened, useSaving } from "../../../editors/use-saving.ts";
import { quoteName } from "../../../jobs/row/cut-text.ts";
import { useBrandKits, usePresetLists } from "../../../presets/use-presets.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { ErrorState } from "../../../ui/states/error-state.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { ListSkeleton } from "../list-skeleton.tsx";
import { requireRow } from "../use-run-change.ts";
import { BrandKitRow } from "./brand-kit-row.tsx";
import { KitFields } from "./kit-fields.tsx";
import { type KitForm, readKitColor, settingsOfForm, toKitForm } from "./kit-form.ts";

/** `presets` is undefined while loading. */
export function BrandKitsSection({ presets }: { presets: readonly Preset[] | undefined }) {
  const kits = useBrandKits();
  const [opened, setOpened] = useState<BrandKit | "new" | null>(null);
  const { data } = kits;
  return (
    <section aria-labelledby="brand-kits" className="border-t border-line">
      <div className="flex items-center gap-3 px-6 pt-5 pb-2 max-desk:px-4">
        <div className="min-w-0 flex-1">
          <h2 id="brand-kits" className="text-16">
            Brand kits
          </h2>
          <p className="text-ink-3">
            Logo, watermark text, intro, end card, colors and fonts. Changes apply to every preset that uses the kit.
          </p>
        </div>
        {data && (
          <Button icon={Plus} onClick={() => setOpened("new")}>
            New brand kit
          </Button>
        )}
      </div>
      {kits.isLoadingError && (
        <ErrorState
          title="Couldn't load the brand kits"
          text={kits.error.message}
          isRetrying={kits.isFetching}
          onRetry={() => void kits.refetch()}
        />
      )}
      {kits.isPending && <ListSkeleton />}
      {data?.length === 0 && (
        <p className="px-6 pt-1 pb-6 max-desk:px-4">
          <b className="font-medium text-ink">No brand kits yet.</b> Add one, then choose it when you edit a preset.
        </p>
      )}
      {data && data.length > 0 && (
        <ul aria-label="Brand kits" className="grid px-6 pb-4 max-desk:px-4">
          {data.map((kit) => (
            <BrandKitRow
              key={kit.id}
              kit={kit}
              users={presets?.filter((preset) => preset.brand_kit_id === kit.id).length ?? 0}
              onEdit={() => setOpened(kit)}
            />
          ))}
        </ul>
      )}
      <BrandKitSheet opened={opened} onClose={() => setOpened(null)} />
    </section>
  );
}

type SheetProps = {
  opened: BrandKit | "new" | null;
  onClose: () => void;
};

function BrandKitSheet({ opened, onClose }: SheetProps) {
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
        const problem = problemOf(form);
        if (problem === null) void save(submit);
        else setFailure(problem);
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

function problemOf(form: KitForm): string | null {
  if (form.name.trim() === "") return "Enter a name.";
  const colors = ["caption_color", "caption_box_color"] as const;
  return colors.some((name) => readKitColor(name, form[name]) === null) ? "Enter a color such as #ffcc00." : null;
}
