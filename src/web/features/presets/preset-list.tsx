import { useState } from "react";
import type { Preset } from "#contract/presets/presets.ts";
import { paths } from "../../app/routing/paths.ts";
import { type usePresets, useBrandKits } from "../../presets/use-presets.ts";
import { LinkButton } from "../../ui/buttons/link-button.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { ListSkeleton } from "./list-skeleton.tsx";
import { DeletePresetDialog } from "./delete-preset-dialog.tsx";
import { EditPresetDialog } from "./edit-preset-dialog.tsx";
import { PresetRow } from "./preset-row.tsx";
import { VersionsDialog } from "./versions-dialog.tsx";

type Opened = { dialog: "edit" | "versions" | "delete"; preset: Preset; isOpen: boolean; opening: number };

export function PresetList({ query }: { query: ReturnType<typeof usePresets> }) {
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
        text='Set up a job, then select "Save as preset".'
        action={<LinkButton to={paths.createJob}>Open Create Jobs</LinkButton>}
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
