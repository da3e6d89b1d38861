import { layersProblem } from "#contract/jobs/outputs/layer-rules.ts";
import { PRESET_LIMITS } from "#contract/presets/presets.ts";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import { JOB_SETTINGS } from "#contract/job-settings/job-settings.ts";
import { JOB_DEFAULTS } from "#contract/job-settings/setting-values.ts";
import { LayerList } from "../../../layers/layer-list.tsx";
import { ClipInput } from "../../../sources/clip-input.tsx";
import { ImageField } from "../../../sources/image-field.tsx";
import { ColorField } from "../../../ui/fields/color-field.tsx";
import { GridChoice } from "../../../ui/fields/grid-choice.tsx";
import { Segmented } from "../../../ui/fields/segmented.tsx";
import { Slider } from "../../../ui/fields/slider.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { toOptions } from "../../../ui/fields/to-options.ts";
import type { ExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { filledLayers, type KitForm, readKitColor } from "./kit-form.ts";

export function KitFields({
  form,
  logoUpload,
  onChange,
}: {
  form: KitForm;
  logoUpload: ExclusiveAction;
  onChange: (change: Partial<KitForm>) => void;
}) {
  return (
    <>
      <TextField
        label="Name"
        value={form.name}
        autoComplete="off"
        maxLength={PRESET_LIMITS.nameCharacters}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <ImageField
        label="Logo"
        noneLabel="No logo"
        upload={logoUpload}
        link={form.watermark_image}
        onChange={(watermark_image) => onChange({ watermark_image })}
      />
      {form.watermark_image !== null && (
        <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
          <GridChoice
            label={JOB_SETTINGS.watermark_position.label}
            columns={3}
            options={toOptions(JOB_SETTINGS.watermark_position.choices)}
            value={form.watermark_position}
            onChange={(watermark_position) => onChange({ watermark_position })}
          />
          <div className="grid min-w-40 flex-1 gap-3">
            {(["watermark_scale", "watermark_opacity"] as const).map((name) => (
              <Slider
                key={name}
                label={JOB_SETTINGS[name].label}
                value={form[name]}
                min={name === "watermark_scale" ? JOB_SETTINGS.watermark_scale.least : 0}
                step={0.05}
                format={(share) => `${Math.round(share * 100)}%`}
                onChange={(value) => onChange({ [name]: value })}
              />
            ))}
          </div>
        </div>
      )}
      <TextField
        label="Watermark text"
        value={form.watermark_text ?? ""}
        placeholder="@yourname"
        autoComplete="off"
        maxLength={JOB_LIMITS.watermarkCharacters}
        hint="Without a logo or watermark text, presets keep their own watermark."
        onChange={(event) => onChange({ watermark_text: event.target.value })}
      />
      <LayerList
        layers={form.layers}
        columns={[]}
        problem={layersProblem(filledLayers(form), null)}
        hint="Texts and images over every file. Without any, presets keep their own layers."
        upload={logoUpload}
        onChange={(layers) => onChange({ layers })}
      />
      {(["intro_link", "outro_link"] as const).map((name) => (
        <ClipInput
          key={name}
          label={JOB_SETTINGS[name].label}
          value={form[name] ?? ""}
          onChange={(link) => onChange({ [name]: link })}
        />
      ))}
      <div className="grid grid-cols-2 gap-4">
        {(["caption_color", "caption_box_color"] as const).map((name) => (
          <KitColor key={name} name={name} form={form} onChange={onChange} />
        ))}
      </div>
      {(["caption_font", "caption_weight"] as const).map((name) => (
        <div key={name} className="grid gap-1.5">
          <span className="font-medium text-ink" aria-hidden>
            {JOB_SETTINGS[name].label}
          </span>
          <Segmented
            label={JOB_SETTINGS[name].label}
            options={toOptions(JOB_SETTINGS[name].choices)}
            value={form[name]}
            onChange={(value) => onChange({ [name]: value })}
          />
        </div>
      ))}
    </>
  );
}

function KitColor({
  name,
  form,
  onChange,
}: {
  name: "caption_color" | "caption_box_color";
  form: KitForm;
  onChange: (change: Partial<KitForm>) => void;
}) {
  const color = readKitColor(name, form[name]);
  return (
    <ColorField
      label={JOB_SETTINGS[name].label}
      value={form[name]}
      color={color ?? JOB_DEFAULTS[name]}
      error={color === null ? "Enter a color such as #ffcc00" : undefined}
      onChange={(typed) => onChange({ [name]: typed })}
      onBlur={() => onChange({ [name]: color ?? form[name] })}
    />
  );
}
