import { type ReactNode, useState } from "react";
import type { BrandKit, Preset } from "#contract/presets/presets.ts";
import { presetTable } from "../../api/preset-tables.ts";
import { quoteName } from "../../jobs/row/cut-text.ts";
import { PresetNameDialog } from "../../presets/preset-name-dialog.tsx";
import { useBrandKits, usePresetLists, type usePresets } from "../../presets/use-presets.ts";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { Select } from "../../ui/menus/select.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { ListSkeleton } from "./list-skeleton.tsx";
import { PresetRow } from "./preset-row.tsx";
import { PRESET_GONE, requireRow, useRunChange } from "./use-run-change.ts";
import { VersionsDialog } from "./versions-dialog.tsx";

type Opened = { dialog: "edit" | "versions" | "delete"; preset: Preset; isOpen: boolean; opening: number };

/** `create` is the button of an empty list. */
export function PresetList({ query, create }: { query: ReturnType<typeof usePresets>; create: ReactNode }) {
  const { data: presets } = query;
  const kits = useBrandKits().data;
  const [opened, setOpened] = useState<Opened | null>(null);
  const open = (dialog: Opened["dialog"], preset: Preset) =>
    setOpened((last) => ({ dialog, preset, isOpen: true, opening: (last?.opening ?? 0) + 1 }));
  // Keeps the content during the closing animation.
  const close = () => setOpened((last) => last && { ...last, isOpen: false });
  if (query.isLoadingError) {
    return (
      <ErrorState
        title="Couldn't load the presets"
        text={query.error.message}
        isRetrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    );
  }
  if (!presets) return <ListSkeleton />;
  if (presets.length === 0) {
    return (
      <EmptyState
        title="No presets yet"
        text='Create one here, or set up a job and select "Save as preset".'
        action={create}
      />
    );
  }
  return (
    <>
      <ul aria-label="Presets" className="grid px-6 pb-4 max-desk:px-4">
        {presets.map((preset) => (
          <PresetRow
            key={preset.id}
            preset={preset}
            kit={kits?.find(({ id }) => id === preset.brand_kit_id)?.name ?? null}
            onOpen={(dialog) => open(dialog, preset)}
          />
        ))}
      </ul>
      {opened?.dialog === "edit" && (
        <EditPresetDialog
          // Each opening starts from the saved values.
          key={opened.opening}
          preset={opened.preset}
          kits={kits ?? []}
          isOpen={opened.isOpen}
          onClose={close}
        />
      )}
      {opened?.dialog === "versions" && (
        <VersionsDialog
          preset={presets.find(({ id }) => id === opened.preset.id) ?? opened.preset}
          isOpen={opened.isOpen}
          onClose={close}
        />
      )}
      {opened?.dialog === "delete" && (
        <DeletePresetDialog preset={opened.preset} isOpen={opened.isOpen} onClose={close} />
      )}
    </>
  );
}

/** Stays open if the deletion fails. */
function DeletePresetDialog({
  preset: { id, name },
  isOpen,
  onClose,
}: {
  preset: Preset;
  isOpen: boolean;
  onClose: () => void;
}) {
  const toast = useToast();
  const { dropPreset } = usePresetLists();
  const { isBusy, runChange } = useRunChange();

  async function remove() {
    await presetTable.remove(id);
    onClose();
    dropPreset(id);
    toast.show({ title: "Preset Deleted", description: `${quoteName(name)} was deleted.`, variant: "success" });
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Delete this preset?"
      text={`${quoteName(name)} and all its versions will be deleted. Jobs keep the settings they started with.`}
      confirmLabel="Delete preset"
      cancelLabel="Keep preset"
      isBusy={isBusy}
      onConfirm={() => runChange("Couldn't delete the preset", remove)}
      onClose={onClose}
    />
  );
}

const NO_KIT = "none";

/** Settings are changed in the job form. */
function EditPresetDialog({
  preset,
  kits,
  isOpen,
  onClose,
}: {
  preset: Preset;
  kits: readonly BrandKit[];
  isOpen: boolean;
  onClose: () => void;
}) {
  const toast = useToast();
  const { putPreset } = usePresetLists();
  const [kit, setKit] = useState(preset.brand_kit_id ?? NO_KIT);

  async function save(name: string) {
    const brand_kit_id = kit === NO_KIT ? null : kit;
    const change = { name, ...(brand_kit_id !== preset.brand_kit_id && { brand_kit_id, version: preset.version }) };
    const saved = requireRow(await presetTable.change(preset.id, change), PRESET_GONE);
    putPreset(saved);
    toast.show({ title: "Preset Updated", description: `${quoteName(saved.name)} was saved.`, variant: "success" });
  }
  return (
    <PresetNameDialog
      isOpen={isOpen}
      title="Edit preset"
      text='To change the settings of a preset, use it in Create Jobs, then select "Update preset".'
      submitLabel="Save changes"
      initialName={preset.name}
      save={save}
      onClose={onClose}
    >
      <div className="grid gap-1.5">
        <span className="font-medium text-ink" aria-hidden>
          Brand kit
        </span>
        <Select
          label="Brand kit"
          options={[
            { value: NO_KIT, label: "No brand kit" },
            ...kits.map(({ id, name: of }) => ({ value: id, label: of })),
          ]}
          value={kit}
          className="w-full min-w-0"
          onLost={() => setKit(NO_KIT)}
          onChange={setKit}
        />
        <span className="text-12 text-ink-3">Its logo, colors and fonts replace those of the preset.</span>
      </div>
    </PresetNameDialog>
  );
}
