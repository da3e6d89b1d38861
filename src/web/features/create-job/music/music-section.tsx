import { useController, type UseFormReturn } from "react-hook-form";
import { Segmented } from "../../../ui/fields/segmented.tsx";
import { addLinks } from "../links/add-links.ts";
import type { CheckedLinks } from "../links/check-links.ts";
import { ContentSection } from "../content-section.tsx";
import type { JobForm } from "../draft/job-form.ts";
import { LinksField } from "../links/links-field.tsx";
import { SampleButton } from "../sample-button.tsx";
import { SaveSetButton } from "../sets/save-set-button.tsx";
import { SetPicker } from "../sets/set-picker.tsx";
import { SettingField } from "../setting-field.tsx";
import { optionsOf } from "../setting-fields.ts";
import { DuckingField } from "./ducking-field.tsx";
import { FileDrop, MUSIC_ZONE } from "../upload/file-drop.tsx";
import type { ChosenSet } from "../sets/use-chosen-set.ts";
import type { SavedSets } from "../draft/use-initial-data.ts";
import type { Samples } from "../use-samples.ts";

/** `tracks` is null if music is off. */
export function MusicSection({
  form,
  tracks,
  samples,
  saved,
  chosen,
}: {
  form: UseFormReturn<JobForm>;
  tracks: CheckedLinks | null;
  samples: Samples;
  saved: SavedSets;
  chosen: ChosenSet;
}) {
  const { getValues, register } = form;
  return (
    <>
      <ContentSection
        title="Background Music"
        dropZone={MUSIC_ZONE}
        isOn={tracks !== null}
        registration={register("audioEnabled")}
        tools={
          <>
            <SetPicker kind="audio" saved={saved} chosen={chosen} />
            {tracks && <SaveSetButton kind="audio" items={tracks.typed} saved={saved} chosen={chosen} />}
          </>
        }
      >
        {tracks && (
          <div className="grid grid-cols-1 gap-x-6 gap-y-3 wide:grid-cols-2">
            <LinksField
              label="Audio links"
              isLabelHidden
              rows={2}
              tip="Google Drive or Instagram, one per line"
              links={tracks}
              use="music"
              tools={
                <SampleButton
                  label="Use sample track"
                  isRendering={samples.isRendering}
                  links={samples.trackLinks}
                  onUse={(links) => chosen.write(addLinks(getValues("audioLinks"), links))}
                />
              }
              registration={register("audioLinks", { onChange: chosen.forget })}
              onKeep={(kept, message) => {
                const links = kept.map((index) => tracks.entries[index]!.link);
                chosen.rewrite(links.join("\n"), message);
              }}
            />
            <SoundSettings form={form} />
          </div>
        )}
      </ContentSection>
      <FileDrop form={form} writeAudioLinks={chosen.write} />
    </>
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
