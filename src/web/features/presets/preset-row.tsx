import { Download, Ellipsis, History, Pencil, Star, StarOff, Trash2 } from "lucide-react";
import type { Preset } from "#contract/presets/presets.ts";
import { presetTable } from "../../api/preset-tables.ts";
import { paths } from "../../app/routing/paths.ts";
import { MetaLine } from "../../jobs/row/job-row.tsx";
import { quoteName } from "../../jobs/row/cut-text.ts";
import { formatShortDate, formatWholeDate } from "../../jobs/time/short-date.ts";
import { usePresetLists } from "../../presets/use-presets.ts";
import { LinkButton } from "../../ui/buttons/link-button.tsx";
import { Menu } from "../../ui/menus/menu.tsx";
import { tooltip } from "../../ui/page/tooltip.ts";
import { WarningNote } from "../../ui/states/warning-note.tsx";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { describePreset } from "./describe-preset.ts";
import { writePresetFile } from "#contract/presets/preset-file.ts";
import { saveFile } from "../../ui/buttons/save-file.ts";
import { PRESET_GONE, requireRow, useRunChange } from "./use-run-change.ts";

export function PresetRow({
  preset,
  kit,
  onOpen,
}: {
  preset: Preset;
  kit: string | null;
  onOpen: (dialog: "edit" | "versions" | "delete") => void;
}) {
  const { id, name, is_default: isDefault, ignored_settings: ignored } = preset;
  const toast = useToast();
  const { putPreset } = usePresetLists();
  const { runChange } = useRunChange();

  async function changeDefault() {
    putPreset(requireRow(await presetTable.change(id, { is_default: !isDefault }), PRESET_GONE));
    const description = isDefault
      ? "New jobs start with the default processing options."
      : `New jobs start with ${quoteName(name)}.`;
    toast.show({ title: isDefault ? "Default Removed" : "Default Changed", description, variant: "success" });
  }
  return (
    <li className="grid min-w-0 gap-1.5 border-t border-line py-3 first:border-t-0">
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <h2 className="text-14 font-medium wrap-anywhere text-ink">
            <span dir="auto">{name}</span>
            {isDefault && (
              <span className="ml-2 inline-flex items-center rounded-1 border border-line-strong px-1.5 text-12 text-ink-2">
                Default
              </span>
            )}
          </h2>
          <MetaLine
            parts={[...describePreset(preset.settings), ...(kit === null ? [] : [`Brand kit ${quoteName(kit)}`])]}
          />
          <MetaLine
            parts={[
              `Version ${preset.version}`,
              <time key="updated" dateTime={preset.updated_at} {...tooltip(formatWholeDate(preset.updated_at))}>
                {formatShortDate(preset.updated_at)}
              </time>,
            ]}
          />
        </div>
        <LinkButton size="sm" to={paths.createJob} search={{ preset: id }} aria-label={`Use ${name}`}>
          Use
        </LinkButton>
        <Menu
          label={`Actions for ${name}`}
          icon={Ellipsis}
          items={[
            { label: "Edit", icon: Pencil, onSelect: () => onOpen("edit") },
            {
              label: isDefault ? "Remove as default" : "Make default",
              icon: isDefault ? StarOff : Star,
              onSelect: () => runChange("Couldn't change the default", changeDefault),
            },
            { label: "Versions", icon: History, onSelect: () => onOpen("versions") },
            {
              label: "Export as JSON",
              icon: Download,
              onSelect: () => saveFile(`${name}.preset.json`, writePresetFile(preset)),
            },
            { label: "Delete", icon: Trash2, onSelect: () => onOpen("delete") },
          ]}
        />
      </div>
      {ignored.length > 0 && (
        <WarningNote text={`Not supported by this version of Clipmill and ignored: ${ignored.join(", ")}`} />
      )}
    </li>
  );
}
