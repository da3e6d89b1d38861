import { Pane } from "../../ui/dialogs/pane.tsx";
import { PageHead } from "../../ui/page/page-head.tsx";
import { usePresets } from "../../presets/use-presets.ts";
import { BrandKitsSection } from "./brand-kits/brand-kits-section.tsx";
import { ImportButton } from "./import-button.tsx";
import { PresetList } from "./preset-list.tsx";

export function PresetsPage() {
  const presets = usePresets();
  return (
    <Pane>
      <PageHead title="Presets" subtitle="Saved settings for new jobs">
        <ImportButton presets={presets.data} />
      </PageHead>
      <PresetList query={presets} />
      <BrandKitsSection presets={presets.data} />
    </Pane>
  );
}
