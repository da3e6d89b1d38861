import type { BrandKit, Preset } from "#contract/presets/presets.ts";
import { settingsOfKit } from "#contract/presets/preset-settings.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { presetTable } from "../../../api/preset-tables.ts";
import { quoteName } from "../../../jobs/row/cut-text.ts";
import { useBrandKits, usePresetLists, type usePresets } from "../../../presets/use-presets.ts";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import type { JobFormState } from "../draft/use-job-form.ts";
import { NO_PRESET, type ChosenPreset } from "../draft/job-form.ts";
import {
  choiceOf,
  describeDifferences,
  type Difference,
  findDifferences,
  isOutdated,
  presetSettingsOf,
  withPreset,
} from "./preset-form.ts";

export type PresetChoice = {
  /** Undefined while loading. */
  presets: readonly Preset[] | undefined;
  isFailed: boolean;
  reload: () => void;
  preset: Preset | null;
  differences: readonly Difference[];
  note: string;
  /** The form is based on an earlier version, which an update must not overwrite. */
  isOutdated: boolean;
  canUpdate: boolean;
  isUpdating: boolean;
  apply: (id: string) => void;
  /** Deselects the preset; keeps the form's settings. */
  forget: () => void;
  /** Saves the settings as a new version of the preset. */
  update: () => void;
  /** Also chooses the new preset, unless another was chosen meanwhile. Throws CallError. */
  saveAs: (draft: { name: string; isDefault: boolean }) => Promise<void>;
};

export function usePresetChoice(
  { form, values, replaceForm }: JobFormState,
  query: ReturnType<typeof usePresets>,
): PresetChoice {
  const toast = useToast();
  const lists = usePresetLists();
  const { isBusy, run } = useExclusiveAction();
  const presets = query.data;
  const preset = presets?.find(({ id }) => id === values.presetId) ?? null;
  const isOld = preset !== null && isOutdated(values, preset);
  const kits = useBrandKits(preset !== null && preset.brand_kit_id !== null).data;
  const kit = kits?.find(({ id }) => id === preset?.brand_kit_id) ?? null;
  const differences = preset ? findDifferences(values, preset) : [];
  const own = differences.filter(({ name }) => !isSetBy(kit, name));

  function choose(choice: ChosenPreset) {
    form.setValue("presetId", choice.presetId, { shouldDirty: true });
    form.setValue("presetVersion", choice.presetVersion, { shouldDirty: true });
  }
  /** Keeps a choice that was made while the preset was being saved. */
  function chooseSaved(saved: Preset, presetIdBefore: string) {
    if (form.getValues("presetId") === presetIdBefore) choose(choiceOf(saved));
  }
  function apply(id: string) {
    const chosen = presets?.find((one) => one.id === id);
    if (!chosen) return;
    replaceForm(withPreset(form.getValues(), chosen), {
      title: "Preset Applied",
      description: `All settings now match ${quoteName(chosen.name)}.`,
    });
  }
  async function update() {
    if (!preset) return;
    try {
      const version = Number(values.presetVersion) || preset.version;
      const change = { settings: presetSettingsOf(form.getValues()), version };
      const saved = await presetTable.change(preset.id, change);
      if (!saved) throw new CallError(404, "This preset no longer exists. Save it as a new one.");
      lists.putPreset(saved);
      chooseSaved(saved, preset.id);
      const description = `${quoteName(saved.name)} is now version ${saved.version}.`;
      toast.show({ title: "Preset Updated", description, variant: "success" });
    } catch (error) {
      const description = error instanceof CallError ? error.message : "Couldn't update the preset";
      toast.show({ title: "Error", description, variant: "destructive" });
      void lists.refetch();
    }
  }
  async function saveAs({ name, isDefault }: { name: string; isDefault: boolean }) {
    const keepsKit = preset !== null && own.length === differences.length;
    const presetIdBefore = form.getValues("presetId");
    const saved = await presetTable.add({
      name,
      settings: presetSettingsOf(form.getValues()),
      brand_kit_id: keepsKit ? preset.brand_kit_id : null,
      ...(isDefault && { is_default: true }),
    });
    lists.putPreset(saved);
    chooseSaved(saved, presetIdBefore);
    toast.show({ title: "Preset Saved", description: `${quoteName(saved.name)} is ready to use.`, variant: "success" });
  }
  return {
    presets,
    isFailed: query.isLoadingError,
    reload: () => void query.refetch(),
    preset,
    differences,
    note: isOld
      ? "Changed elsewhere since you chose it"
      : describeChoice(presets, preset, { own, all: differences, kit }),
    isOutdated: isOld,
    canUpdate: preset !== null && !isOld && own.length > 0,
    isUpdating: isBusy,
    apply,
    forget: () => choose(NO_PRESET),
    update: () => void run(update),
    saveAs,
  };
}

function isSetBy(kit: BrandKit | null, name: Difference["name"]): boolean {
  return kit !== null && Object.hasOwn(settingsOfKit(kit.settings), name);
}

function describeChoice(
  presets: readonly Preset[] | undefined,
  preset: Preset | null,
  { own, all, kit }: { own: readonly Difference[]; all: readonly Difference[]; kit: BrandKit | null },
): string {
  if (!presets) return "";
  if (presets.length === 0) return "Save these settings as a preset to reuse them.";
  if (!preset) return "";
  const difference = describeDifferences(all);
  if (difference === null) {
    const ignored = preset.ignored_settings;
    return ignored.length > 0 ? `Not supported by this version and ignored: ${ignored.join(", ")}` : "No changes";
  }
  // An update cannot override the brand kit.
  return own.length < all.length && kit
    ? `${difference}. The brand kit ${quoteName(kit.name)} sets some of them.`
    : difference;
}
