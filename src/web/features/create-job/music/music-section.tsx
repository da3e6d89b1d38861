import { Play, TextCursorInput } from "lucide-react";
import { useController, type UseFormReturn } from "react-hook-form";
import { JOB_SETTINGS } from "#contract/job-settings/job-settings.ts";
import { libraryIdOf } from "../../../sources/named-sources.ts";
import { SourceList } from "../../../sources/source-list.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { Segmented } from "../../../ui/fields/segmented.tsx";
import { Slider } from "../../../ui/fields/slider.tsx";
import { addLinks } from "../links/add-links.ts";
import type { CheckedLinks } from "../links/check-links.ts";
import { ContentSection } from "../content-section.tsx";
import type { JobForm } from "../draft/job-form.ts";
import { LinksField } from "../links/links-field.tsx";
import { editsAsText, useTextMode } from "../links/use-text-mode.ts";
import { SaveSetButton } from "../sets/save-set-button.tsx";
import { SetPicker } from "../sets/set-picker.tsx";
import { SettingField } from "../setting-field.tsx";
import { optionsOf, readNumber } from "../setting-fields.ts";
import { FileDrop, MUSIC_ZONE } from "../upload/file-drop.tsx";
import { AddFiles, UploadRows, useOwnUploads } from "../../../sources/uploads/add-files.tsx";
import { PreparingSamples } from "../videos/videos-field.tsx";
import type { ChosenSet } from "../sets/use-chosen-set.ts";
import type { SavedSets } from "../draft/use-initial-data.ts";
import type { Samples } from "../use-samples.ts";

type MusicProps = {
  form: UseFormReturn<JobForm>;
  /** Null if music is off. */
  tracks: CheckedLinks | null;
  samples: Samples;
  saved: SavedSets;
  chosen: ChosenSet;
};

export function MusicSection(props: MusicProps) {
  const { form, tracks, saved, chosen } = props;
  return (
    <>
      <ContentSection
        title="Background Music"
        dropZone={MUSIC_ZONE}
        isOn={tracks !== null}
        registration={form.register("audioEnabled")}
        tools={
          <>
            <SetPicker kind="audio" saved={saved} chosen={chosen} />
            {tracks && <SaveSetButton kind="audio" items={tracks.typed} saved={saved} chosen={chosen} />}
          </>
        }
      >
        {tracks && (
          <div className="grid grid-cols-1 gap-x-6 gap-y-3 wide:grid-cols-2">
            <TracksField {...props} tracks={tracks} />
            <SoundSettings form={form} />
          </div>
        )}
      </ContentSection>
      <FileDrop form={form} writeAudioLinks={chosen.write} />
    </>
  );
}

/** Library files are shown by name instead of their links. */
function TracksField({
  form: { getValues, register },
  tracks,
  samples,
  chosen,
}: MusicProps & { tracks: CheckedLinks }) {
  const uploaded = new Set(
    useOwnUploads("music").flatMap(({ state }) => (state.kind === "done" ? [state.file.link] : [])),
  );
  const areNamed = tracks.typed.length > 0 && tracks.typed.every((link) => libraryIdOf(link) !== null);
  const { container, field, isList, ...mode } = useTextMode(areNamed);
  return (
    <div ref={container} className="grid grid-cols-1 content-start gap-1">
      <LinksField
        label="Audio links"
        isLabelHidden
        rows={2}
        tip="Google Drive or Instagram, one per line"
        field={field}
        isCollapsed={isList}
        links={tracks}
        use="music"
        registration={register("audioLinks", { onChange: chosen.forget })}
        onType={mode.keepText}
        onInsert={mode.showList}
        onSelectLine={mode.edit}
        onKeep={(kept, message) => {
          const links = kept.map((index) => tracks.entries[index]!.link);
          chosen.rewrite(links.join("\n"), message);
        }}
      />
      <UploadRows use="music" links={tracks.valid} />
      <SourceList links={tracks.valid.filter((link) => !uploaded.has(link))} isMusic />
      <div className="-ml-2 flex flex-wrap items-center gap-1">
        <AddFiles
          use="music"
          links={tracks.valid}
          isMenu
          actions={[
            samples.trackLinks.length > 0
              ? {
                  label: "Use sample track",
                  icon: Play,
                  onSelect: () => chosen.write(addLinks(getValues("audioLinks"), samples.trackLinks)),
                }
              : null,
          ]}
        />
        {isList && (
          <Button size="sm" look="quiet" icon={TextCursorInput} {...editsAsText} onClick={mode.edit}>
            Edit as text
          </Button>
        )}
        {samples.isRendering && <PreparingSamples />}
      </div>
    </div>
  );
}

function SoundSettings({ form }: { form: UseFormReturn<JobForm> }) {
  const mode = useController({ control: form.control, name: "audioMode" }).field;
  return (
    <div className="grid content-start gap-3">
      <div className="flex items-center justify-between gap-2">
        <Segmented label="Audio mode" options={optionsOf("audio_mode")} value={mode.value} onChange={mode.onChange} />
        <SettingField form={form} name="loop_audio" />
      </div>
      <div className="grid gap-x-4 gap-y-3 desk:grid-cols-2">
        {mode.value === "mix" && <SettingField form={form} name="video_gain" />}
        <SettingField form={form} name="music_gain" />
      </div>
      {mode.value === "mix" && <DuckingField form={form} />}
    </div>
  );
}

function DuckingField({ form: { control } }: { form: UseFormReturn<JobForm> }) {
  const row = JOB_SETTINGS.ducking_db;
  const { value, onChange } = useController({ control, name: "duckingDb" }).field;
  return (
    <div className="grid gap-1">
      <Slider
        label={row.label}
        value={Math.min(row.most, readNumber(row, value))}
        min={row.least}
        max={row.most}
        step={1}
        format={(decibels) => (decibels === 0 ? "Off" : `${decibels} ${row.unit}`)}
        onChange={(decibels) => onChange(String(decibels))}
      />
      <span className="text-12 text-ink-3">Lowers the music while somebody speaks in the video.</span>
    </div>
  );
}
