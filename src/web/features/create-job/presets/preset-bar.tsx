import { Ellipsis, ListRestart, RefreshCw, Save, SlidersHorizontal } from "lucide-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { paths } from "../../../app/routing/paths.ts";
import { classNames } from "../../../ui/class-names.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Menu } from "../../../ui/menus/menu.tsx";
import { tooltipWhenCut } from "../../../ui/page/tooltip.ts";
import { Skeleton } from "../../../ui/states/skeleton.tsx";
import type { PresetChoice } from "./use-preset-choice.ts";
import { PresetPicker } from "./preset-picker.tsx";
import { SavePresetDialog } from "./save-preset-dialog.tsx";

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
  return (
    <section
      aria-label="Preset"
      className="flex min-h-[53px] flex-wrap items-center gap-x-3 gap-y-1.5 border-t border-line px-6 py-2.5 max-desk:px-4"
    >
      <span className="font-medium text-ink" aria-hidden>
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
          "min-w-0 flex-1 truncate text-12 text-ink-3 max-desk:order-2",
          // On phones, the picker and the menu have the first row.
          hasPresets ? "max-desk:basis-1/2" : "max-desk:basis-full",
        )}
        {...tooltipWhenCut(note)}
      >
        {note}
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
          className={hasPresets ? "max-desk:order-3" : undefined}
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
