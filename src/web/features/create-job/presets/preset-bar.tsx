import { useNavigate } from "@tanstack/react-router";
import { Ellipsis, ListRestart, RefreshCw, Save, SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import type { Preset } from "#contract/presets/presets.ts";
import { paths } from "../../../app/routing/paths.ts";
import { PresetNameDialog } from "../../../presets/preset-name-dialog.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { Segmented } from "../../../ui/fields/segmented.tsx";
import { Menu } from "../../../ui/menus/menu.tsx";
import { Select } from "../../../ui/menus/select.tsx";
import { tooltipWhenCut } from "../../../ui/page/tooltip.ts";
import { Skeleton } from "../../../ui/states/skeleton.tsx";
import type { PresetChoice } from "./use-preset-choice.ts";

export function PresetBar({
  choice,
  canSave,
}: {
  choice: PresetChoice;
  /** False for a form without input. */
  canSave: boolean;
}) {
  const [dialog, setDialog] = useState<"unused" | "open" | "closed">("unused");
  const navigate = useNavigate();
  const { presets, preset, note, canUpdate } = choice;
  const hasPresets = (presets?.length ?? 0) > 0;
  // Advice to save needs the button beside it.
  const text = presets?.length === 0 && !canSave ? "None saved yet" : note;
  return (
    <section
      aria-label="Preset"
      className="flex min-h-[53px] flex-wrap items-center gap-x-3 gap-y-1.5 border-t border-line px-6 py-2.5 max-desk:px-4"
    >
      {/* As high as the picker, which appears later. */}
      <span className="inline-flex items-center font-medium text-ink max-desk:min-h-11" aria-hidden>
        Preset
      </span>
      {choice.isFailed && (
        <Button look="quiet" icon={RefreshCw} onClick={choice.reload}>
          Reload presets
        </Button>
      )}
      {!presets && !choice.isFailed && <Skeleton className="h-8 w-44 max-desk:h-11" />}
      {hasPresets && (
        <PresetPicker presets={presets!} preset={preset} onApply={choice.apply} onForget={choice.forget} />
      )}
      <p
        className={classNames(
          "min-h-[18px] min-w-0 flex-1 truncate text-12 leading-[18px] text-ink-3 max-desk:order-2",
          // On phones, the picker and the menu have the first row.
          hasPresets ? "max-desk:basis-1/2" : "max-desk:basis-full",
        )}
        {...tooltipWhenCut(text)}
      >
        {text}
      </p>
      {canUpdate && (
        <Button size="sm" icon={Save} className="max-desk:order-3" isBusy={choice.isUpdating} onClick={choice.update}>
          Update preset
        </Button>
      )}
      {preset && choice.isOutdated && (
        <Button size="sm" icon={ListRestart} className="max-desk:order-3" onClick={() => choice.apply(preset.id)}>
          Use version {preset.version}
        </Button>
      )}
      {presets && !preset && canSave && (
        <Button
          look="quiet"
          size="sm"
          icon={Save}
          // On phones, only the menu has it: no action has a line of its own.
          className={hasPresets ? "max-desk:hidden" : undefined}
          onClick={() => setDialog("open")}
        >
          Save as preset
        </Button>
      )}
      {hasPresets && (
        <span className="max-desk:order-1">
          <Menu
            label="Preset actions"
            icon={Ellipsis}
            items={[
              { label: "Save as new preset", icon: Save, onSelect: () => setDialog("open") },
              {
                label: "Discard changes",
                icon: ListRestart,
                isDisabled: !preset || choice.differences.length === 0,
                onSelect: () => preset && choice.apply(preset.id),
              },
              {
                label: "Manage presets",
                icon: SlidersHorizontal,
                onSelect: () => void navigate({ to: paths.presets }),
              },
            ]}
          />
        </span>
      )}
      {dialog !== "unused" && (
        <SavePresetDialog isOpen={dialog === "open"} choice={choice} onClose={() => setDialog("closed")} />
      )}
    </section>
  );
}

const NONE = "none";
/** A few short names fit side by side on a phone, which saves a click. */
const MAX_SHOWN = 3;
const MAX_SHOWN_CHARACTERS = 24;

function PresetPicker({
  presets,
  preset,
  onApply,
  onForget,
}: {
  presets: readonly Preset[];
  preset: Preset | null;
  onApply: (id: string) => void;
  onForget: () => void;
}) {
  const characters = presets.reduce((sum, { name }) => sum + name.length, 0);
  const Control = presets.length <= MAX_SHOWN && characters <= MAX_SHOWN_CHARACTERS ? Segmented : PresetSelect;
  return (
    <Control
      label="Preset"
      options={[{ value: NONE, label: "No preset" }, ...presets.map(({ id, name }) => ({ value: id, label: name }))]}
      value={preset?.id ?? NONE}
      onChange={(id) => (id === NONE ? onForget() : onApply(id))}
      onLost={onForget}
    />
  );
}

function PresetSelect(props: Parameters<typeof Select<string>>[0]) {
  return <Select {...props} className="w-56 min-w-0 max-desk:flex-1 max-desk:basis-[55%]" />;
}

function SavePresetDialog({
  isOpen,
  choice,
  onClose,
}: {
  isOpen: boolean;
  choice: Pick<PresetChoice, "presets" | "saveAs">;
  onClose: () => void;
}) {
  // The first preset is usually the intended default.
  const [isDefault, setIsDefault] = useState(choice.presets?.length === 0);

  async function save(name: string) {
    await choice.saveAs({ name, isDefault });
    setIsDefault(false);
  }
  return (
    <PresetNameDialog
      isOpen={isOpen}
      title="Save as preset"
      text="Saves every setting on this form except the job name and videos."
      submitLabel="Save preset"
      initialName=""
      save={save}
      onClose={onClose}
    >
      <Checkbox
        label="Start new jobs with this preset"
        checked={isDefault}
        onChange={(event) => setIsDefault(event.target.checked)}
      />
    </PresetNameDialog>
  );
}
