import { useQuery } from "@tanstack/react-query";
import type { Preset, PresetVersion } from "#contract/presets/presets.ts";
import { listPresetVersions, presetTable } from "../../api/preset-tables.ts";
import { quoteName } from "../../jobs/row/cut-text.ts";
import { formatShortDate, formatWholeDate } from "../../jobs/time/short-date.ts";
import { usePresetLists } from "../../presets/use-presets.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { tooltip } from "../../ui/page/tooltip.ts";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { describeVersion } from "./describe-preset.ts";
import { ListSkeleton } from "./list-skeleton.tsx";
import { PRESET_GONE, requireRow, useRunChange } from "./use-run-change.ts";

export function VersionsDialog({ preset, isOpen, onClose }: { preset: Preset; isOpen: boolean; onClose: () => void }) {
  const toast = useToast();
  const { putPreset } = usePresetLists();
  const { isBusy, runChange } = useRunChange();
  const versions = useQuery({
    queryKey: ["preset-versions", preset.id, preset.version],
    queryFn: ({ signal }) => listPresetVersions(preset.id, signal),
    staleTime: 0,
  });

  async function bringBack(version: PresetVersion) {
    const { settings, brand_kit_id } = version;
    const change = { settings, brand_kit_id, version: preset.version };
    const saved = requireRow(await presetTable.change(preset.id, change), PRESET_GONE);
    putPreset(saved);
    const description = `Version ${version.version} of ${quoteName(saved.name)} was restored as version ${saved.version}.`;
    toast.show({ title: "Version Restored", description, variant: "success" });
  }
  return (
    <Dialog
      isOpen={isOpen}
      title={`Versions of ${quoteName(preset.name)}`}
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {versions.isLoadingError && (
        <ErrorState
          title="Couldn't load the versions"
          text={versions.error.message}
          isRetrying={versions.isFetching}
          onRetry={() => void versions.refetch()}
        />
      )}
      {versions.isPending && <ListSkeleton />}
      {versions.data && (
        // focusable, to scroll by keyboard
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <ul aria-label="Versions" tabIndex={0} className="-mx-2 max-h-[min(420px,50dvh)] overflow-auto px-2">
          {versions.data.map((version) => (
            <li key={version.id} className="flex items-start gap-3 border-t border-line py-2.5 first:border-t-0">
              <div className="min-w-0 flex-1">
                <p className="tnum text-ink">
                  <span className="font-medium">Version {version.version}</span>{" "}
                  <time
                    className="text-12 text-ink-3"
                    dateTime={version.created_at}
                    {...tooltip(formatWholeDate(version.created_at))}
                  >
                    {formatShortDate(version.created_at)}
                  </time>
                </p>
                <Changes version={version} preset={preset} />
              </div>
              {version.version !== preset.version && (
                <Button
                  size="sm"
                  aria-label={`Restore version ${version.version}`}
                  isBusy={isBusy}
                  onClick={() => runChange("Couldn't restore the version", () => bringBack(version))}
                >
                  Restore
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function Changes({ version, preset }: { version: PresetVersion; preset: Preset }) {
  if (version.version === preset.version) return <p className="text-12 text-ink-3">Current version</p>;
  const changes = describeVersion(version.settings, preset.settings);
  if (changes.length === 0) return <p className="text-12 text-ink-3">Same settings as now</p>;
  return (
    <ul className="text-12 wrap-anywhere text-ink-3">
      {changes.map((change) => (
        <li key={change}>{change}</li>
      ))}
    </ul>
  );
}
