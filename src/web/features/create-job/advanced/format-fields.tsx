import { useWatch, type UseFormReturn } from "react-hook-form";
import { type Fit, type Format, FORMAT_SIZES } from "#contract/jobs/outputs/formats.ts";
import { PLATFORMS } from "#contract/jobs/outputs/platforms.ts";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { ChoiceField } from "../choice-field.tsx";
import { EMPTY_FORM, type JobForm } from "../draft/job-form.ts";
import { SettingField } from "../setting-field.tsx";
import { optionsOf, readJson } from "../setting-fields.ts";

const PLATFORM_HINTS = {
  off: "Captions and watermarks stay clear of the buttons that most apps show over a video.",
  tiktok: "Captions and watermarks stay clear of TikTok's buttons, and each file is checked against TikTok's rules.",
  reels:
    "Captions and watermarks stay clear of Instagram's buttons, and each file is checked against the rules for Reels.",
  shorts:
    "Captions and watermarks stay clear of YouTube's buttons, and each file is checked against the rules for Shorts.",
} as const satisfies Record<JobForm["platform"], string>;

const FORMAT_HINTS = {
  source: "Each file has the size and shape of its video.",
  "9:16": describeSize("9:16"),
  "4:5": describeSize("4:5"),
  "1:1": describeSize("1:1"),
  "16:9": describeSize("16:9"),
} as const satisfies Record<JobForm["format"], string>;

const FIT_HINTS = {
  crop: "Fills the format and crops the rest.",
  blur: "Shows the whole video in front of a blurred copy of itself.",
  pad: "Shows the whole video between black bars.",
} as const satisfies Record<Fit, string>;

const FOCUS_HINTS = {
  fixed: "The crop keeps this point in view.",
  face: "The crop moves with the main face, but only when necessary. Shots without a face keep this point in view, as does the preview.",
} as const satisfies Record<JobForm["fitFocus"], string>;

export function FormatFields({ form }: { form: UseFormReturn<JobForm> }) {
  const [format, fit, formats] = useWatch({ control: form.control, name: ["format", "fit", "formats"] });
  const others = readFormats(formats).slice(1);
  const isShaped = format !== "source" || others.length > 0;
  function write(first: Format, wanted: readonly Format[]) {
    const further = wanted.filter((one) => one !== first);
    form.setValue("formats", further.length === 0 ? "" : JSON.stringify([first, ...further]), { shouldDirty: true });
  }
  function handlePlatform(platform: JobForm["platform"]) {
    const facts = platform === "off" ? null : PLATFORMS[platform];
    const first = facts?.format ?? EMPTY_FORM.format;
    form.setValue("format", first, { shouldDirty: true });
    write(first, others);
    const loudness = facts ? String(facts.loudnessLufs.value) : EMPTY_FORM.loudnessLufs;
    form.setValue("loudnessLufs", loudness, { shouldDirty: true });
  }
  return (
    <>
      <ChoiceField form={form} name="platform" hints={PLATFORM_HINTS} onChoose={handlePlatform} />
      <ChoiceField form={form} name="format" hints={FORMAT_HINTS} onChoose={(first) => write(first, others)} />
      <FurtherFormats first={format} others={others} onChange={(chosen) => write(format, chosen)} />
      {isShaped && <ChoiceField form={form} name="fit" hints={FIT_HINTS} />}
      {isShaped && fit === "crop" && (
        <>
          <ChoiceField form={form} name="fit_focus" hints={FOCUS_HINTS} />
          <div className="grid max-w-110 grid-cols-2 gap-6 max-desk:grid-cols-1 max-desk:gap-2">
            <SettingField form={form} name="fit_focus_x" />
            <SettingField form={form} name="fit_focus_y" />
          </div>
        </>
      )}
    </>
  );
}

function FurtherFormats({
  first,
  others,
  onChange,
}: {
  first: Format;
  others: readonly Format[];
  onChange: (others: readonly Format[]) => void;
}) {
  const choices = optionsOf("format").filter(({ value }) => value !== first && value !== "source");
  return (
    <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <legend className="sr-only">Further formats</legend>
      <span aria-hidden className="text-12 text-ink-3">
        Also in
      </span>
      {choices.map(({ value, label }) => (
        <Checkbox
          key={value}
          label={label}
          checked={others.includes(value)}
          onChange={({ target }) =>
            onChange(target.checked ? [...others, value] : others.filter((other) => other !== value))
          }
        />
      ))}
    </fieldset>
  );
}

function readFormats(text: string): readonly Format[] {
  const formats = readJson(text, []);
  return Array.isArray(formats) ? (formats as Format[]) : [];
}

function describeSize(format: keyof typeof FORMAT_SIZES): string {
  const { width, height } = FORMAT_SIZES[format];
  return `${width} x ${height} pixels.`;
}
