import { useNavigate } from "@tanstack/react-router";
import { Plus, Upload } from "lucide-react";
import { useRef, useState } from "react";
import { freeName, readPresetFile } from "#contract/presets/preset-file.ts";
import { type Preset, PRESET_LIMITS } from "#contract/presets/presets.ts";
import { CallError } from "../../api/functions/call-error.ts";
import { presetTable } from "../../api/preset-tables.ts";
import { paths } from "../../app/routing/paths.ts";
import { quoteName } from "../../jobs/row/cut-text.ts";
import { NewPresetDialog } from "../../presets/new-preset-dialog.tsx";
import { usePresetLists, usePresets } from "../../presets/use-presets.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { PageHead } from "../../ui/page/page-head.tsx";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { BrandKitsSection } from "./brand-kits/brand-kits-section.tsx";
import { PresetList } from "./preset-list.tsx";
import { useRunChange } from "./use-run-change.ts";

export function PresetsPage() {
  const presets = usePresets();
  const [isNewOpen, setIsNewOpen] = useState(false);
  const navigate = useNavigate();
  const create = (
    <Button look="primary" icon={Plus} disabled={!presets.data} onClick={() => setIsNewOpen(true)}>
      New preset
    </Button>
  );
  return (
    <Pane>
      <PageHead title="Presets" subtitle="Saved settings for new jobs">
        <ImportButton presets={presets.data} />
        {presets.data?.length !== 0 && create}
      </PageHead>
      <PresetList query={presets} create={create} />
      {/* Below a list that does not grow any more. */}
      {!presets.isPending && <BrandKitsSection presets={presets.data} />}
      {/* The new preset opens in the job form, where its settings are. */}
      <NewPresetDialog
        isOpen={isNewOpen}
        presets={presets.data ?? []}
        text='It opens in Create Jobs. Change its settings there, then select "Update preset".'
        onSaved={({ id }) => void navigate({ to: paths.createJob, search: { preset: id } })}
        onClose={() => setIsNewOpen(false)}
      />
    </Pane>
  );
}

/** `presets` is undefined while loading. */
function ImportButton({ presets }: { presets: readonly Preset[] | undefined }) {
  const input = useRef<HTMLInputElement>(null);
  const toast = useToast();
  const { putPreset } = usePresetLists();
  const { isBusy, runChange } = useRunChange();

  async function importFile(file: File) {
    // twice the limit, because files are indented
    if (file.size > 2 * PRESET_LIMITS.settingsBytes) throw new CallError(0, "This file is too large for a preset.");
    const read = readPresetFile(await file.text());
    if (typeof read === "string") throw new CallError(0, read);
    const name = freeName(read.name, presets?.map((preset) => preset.name) ?? []);
    const saved = await presetTable.add({ name, settings: read.settings });
    putPreset(saved);
    const ignored = saved.ignored_settings;
    toast.show({
      title: "Preset Imported",
      description:
        ignored.length === 0
          ? `${quoteName(saved.name)} is ready to use.`
          : `${quoteName(saved.name)} is ready to use. Not supported by this version and ignored: ${ignored.join(", ")}.`,
      variant: "success",
    });
  }
  return (
    <>
      <Button icon={Upload} isBusy={isBusy} disabled={!presets} onClick={() => input.current?.click()}>
        Import preset
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label="Preset file"
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) runChange("Couldn't read this file", () => importFile(file));
          // Allows choosing the same file again.
          event.target.value = "";
        }}
      />
    </>
  );
}
