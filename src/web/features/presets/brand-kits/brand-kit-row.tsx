import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { settingOf, choiceLabel } from "#contract/job-settings/setting-values.ts";
import type { BrandKit } from "#contract/presets/presets.ts";
import { brandKitTable } from "../../../api/preset-tables.ts";
import { MetaLine } from "../../../jobs/row/job-row.tsx";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { quoteName } from "../../../jobs/row/cut-text.ts";
import { usePresetLists } from "../../../presets/use-presets.ts";
import { libraryIdOf } from "../../../sources/named-sources.ts";
import { SourcePicture } from "../../../sources/source-picture.tsx";
import { useLibrary } from "../../../sources/use-library.ts";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useRunChange } from "../use-run-change.ts";

/** `users`: number of presets with this kit. */
export function BrandKitRow({ kit, users, onEdit }: { kit: BrandKit; users: number; onEdit: () => void }) {
  const { id, name, settings } = kit;
  const [isAsking, setIsAsking] = useState(false);
  const toast = useToast();
  const { dropBrandKit } = usePresetLists();
  const { isBusy, runChange } = useRunChange();
  const image = settings.watermark_image ?? null;
  const library = useLibrary(image === null ? [] : [image], image !== null);
  const logo = image === null ? null : library?.find((file) => file.id === libraryIdOf(image));

  async function remove() {
    setIsAsking(false);
    await brandKitTable.remove(id);
    dropBrandKit(id);
    toast.show({ title: "Brand Kit Deleted", description: `${quoteName(name)} was deleted.`, variant: "success" });
  }
  return (
    <li className="flex min-w-0 items-center gap-3 border-t border-line py-3 first:border-t-0">
      <SourcePicture file={logo ?? { kind: "image", thumbnailUrl: null }} />
      <div className="min-w-0 flex-1">
        <h3 dir="auto" className="text-14 font-medium wrap-anywhere text-ink">
          {name}
        </h3>
        <MetaLine parts={factsOf(kit, users)} />
      </div>
      <div className="flex shrink-0">
        <IconButton icon={Pencil} label={`Edit ${name}`} onClick={onEdit} />
        <IconButton icon={Trash2} label={`Delete ${name}`} onClick={() => setIsAsking(true)} />
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        title="Delete this brand kit?"
        text={
          users === 0
            ? `${quoteName(name)} will be deleted. No preset uses it.`
            : `${pluralize(users, "preset uses", "presets use")} ${quoteName(name)}. Choose another brand kit there first.`
        }
        confirmLabel="Delete brand kit"
        cancelLabel="Keep brand kit"
        isBusy={isBusy}
        onConfirm={() => runChange("Couldn't delete the brand kit", remove)}
        onClose={() => setIsAsking(false)}
      />
    </li>
  );
}

function factsOf({ settings }: BrandKit, users: number) {
  const { watermark_text: text, caption_font: font, caption_color: color, caption_box_color: box } = settings;
  const { intro_link: intro, outro_link: outro } = settings;
  return [
    ...(text ? [text] : []),
    ...(font ? [`${choiceLabel(settingOf("caption_font"), font)} captions`] : []),
    ...(intro ? ["Intro"] : []),
    ...(outro ? ["End card"] : []),
    ...(color ? [<Swatch key="text" color={color} />] : []),
    ...(box ? [<Swatch key="box" color={box} />] : []),
    users === 0 ? "No preset uses it" : `Used by ${pluralize(users, "preset")}`,
  ];
}

function Swatch({ color }: { color: string }) {
  return (
    <span className="raw">
      <span
        aria-hidden
        className="mr-1.5 inline-block size-2.5 rounded-[3px] border border-control align-[-1px]"
        style={{ backgroundColor: color }}
      />
      {color}
    </span>
  );
}
