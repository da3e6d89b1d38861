import { useWatch, type UseFormReturn } from "react-hook-form";
import { contrastOnBox, opacityOf, withOpacity } from "#contract/colors.ts";
import { isShownLongEnough } from "#contract/jobs/job-rules.ts";
import type { CaptionPosition } from "#contract/jobs/jobs.ts";
import { describeCaptionLook, describeHeight } from "../../../jobs/describe-caption-look.ts";
import { describeCaptionTiming } from "../../../jobs/describe-caption-timing.ts";
import { Slider } from "../../../ui/fields/slider.tsx";
import { Popover } from "../../../ui/menus/popover.tsx";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { ChoiceField } from "../choice-field.tsx";
import type { JobForm } from "../draft/job-form.ts";
import { SettingField } from "../setting-field.tsx";
import { CAPTION_LOOK, CAPTION_TIMING, fieldOf, readFields } from "../setting-fields.ts";

/** WCAG's minimum for large text. */
const LEAST_CONTRAST = 3;

/** Initial slider value for captions without a custom height. */
const USUAL_HEIGHTS: Record<CaptionPosition, number> = { top: 0.18, middle: 0.5, bottom: 0.76 };

type FormPart = { form: UseFormReturn<JobForm> };

/** Look, timing and font, in a popover beside the preview. */
export function CaptionLook({ form }: FormPart) {
  const names = [...CAPTION_LOOK, ...CAPTION_TIMING];
  useWatch({ control: form.control, name: names.map((name) => fieldOf(name)) });
  const values = form.getValues();
  const [[, style], ...changes] = describeCaptionLook(readFields(values, CAPTION_LOOK)) as [
    [string, string],
    ...[string, string][],
  ];
  const timing = describeCaptionTiming(readFields(values, CAPTION_TIMING));
  const others = [...changes.map(([, value]) => value), ...(timing === null ? [] : [timing])];
  return (
    <Popover label="Caption look" summary={[style.replaceAll(", ", " · "), ...others].join(" · ")}>
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <ChoiceField form={form} name="caption_style" label="Style" />
        <ChoiceField
          form={form}
          name="caption_position"
          label="Position"
          // A custom height overrides the position; choosing a position clears it.
          isOverridden={values.captionY !== ""}
          onChoose={() => form.setValue("captionY", "", { shouldDirty: true })}
        />
        <ChoiceField form={form} name="caption_size" label="Size" />
        <ChoiceField form={form} name="caption_weight" label="Weight" />
        <ChoiceField form={form} name="caption_font" label="Font" />
      </div>
      <ColorFields form={form} />
      <HeightField form={form} />
      <TimingFields form={form} />
      <div className="grid gap-1">
        <SettingField form={form} name="caption_highlight" />
        <span className="text-12 text-ink-3">Words between asterisks, *like these*, get another color.</span>
      </div>
    </Popover>
  );
}

function ColorFields({ form }: FormPart) {
  const look = readFields(form.getValues(), CAPTION_LOOK);
  const isBox = look.caption_style === "box";
  const contrast = isBox ? contrastOnBox(look.caption_color, look.caption_box_color) : null;
  const setBox = (color: string) => form.setValue("captionBoxColor", color, { shouldDirty: true });
  return (
    <>
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="w-36">
          <SettingField form={form} name="caption_color" />
        </div>
        {isBox && (
          <>
            <div className="w-36">
              <SettingField form={form} name="caption_box_color" />
            </div>
            <div className="w-44">
              <Slider
                label="Box opacity"
                value={opacityOf(look.caption_box_color)}
                step={0.01}
                format={(share) => `${Math.round(share * 100)}%`}
                onChange={(opacity) => setBox(withOpacity(look.caption_box_color, opacity))}
              />
            </div>
          </>
        )}
      </div>
      {contrast !== null && contrast < LEAST_CONTRAST && (
        <WarningNote text={`Hard to read: the contrast between text and box is ${contrast.toFixed(1)}:1, below 3:1.`} />
      )}
    </>
  );
}

function HeightField({ form }: FormPart) {
  const { caption_y: height, caption_position: position } = readFields(form.getValues(), CAPTION_LOOK);
  return (
    <div className="grid gap-1">
      <Slider
        label="Vertical position"
        value={height ?? USUAL_HEIGHTS[position]}
        step={0.01}
        format={height === null ? () => "Set by Position" : describeHeight}
        onChange={(chosen) => form.setValue("captionY", String(chosen), { shouldDirty: true })}
      />
      <span className="text-12 text-ink-3">
        {height === null
          ? "You can also drag the caption in the preview."
          : "Choose Top, Middle or Bottom to go back to a fixed position."}
      </span>
    </div>
  );
}

function TimingFields({ form }: FormPart) {
  const { caption_start_seconds: from, caption_end_seconds: to } = readFields(form.getValues(), CAPTION_TIMING);
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
      <div className="w-32">
        <SettingField form={form} name="caption_start_seconds" hint="Seconds" />
      </div>
      <div className="w-32">
        <SettingField
          form={form}
          name="caption_end_seconds"
          hint="Seconds. Leave empty for the end"
          error={to !== null && !isShownLongEnough(from, to) ? `Must be at least 0.1 s after ${from}` : undefined}
        />
      </div>
      {(from > 0 || to !== null) && <ChoiceField form={form} name="caption_fade" label="Fade" />}
    </div>
  );
}
