import { useWatch, type UseFormReturn } from "react-hook-form";
import { contrastOnBox, opacityOf, withOpacity } from "#contract/colors.ts";
import type { CaptionPosition } from "#contract/jobs/jobs.ts";
import { describeCaptionLook, describeHeight } from "../../../jobs/describe-caption-look.ts";
import { Slider } from "../../../ui/fields/slider.tsx";
import { Disclosure } from "../../../ui/states/disclosure.tsx";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { ChoiceField } from "../choice-field.tsx";
import type { JobForm } from "../draft/job-form.ts";
import { SettingField } from "../setting-field.tsx";
import { CAPTION_LOOK, fieldOf, readFields } from "../setting-fields.ts";

/** WCAG's minimum for large text. */
const LEAST_CONTRAST = 3;

/** Initial slider value for captions without a custom height. */
const USUAL_HEIGHTS: Record<CaptionPosition, number> = { top: 0.18, middle: 0.5, bottom: 0.76 };

export function CaptionLookFields({ form }: { form: UseFormReturn<JobForm> }) {
  useWatch({ control: form.control, name: CAPTION_LOOK.map((name) => fieldOf(name)) });
  const look = readFields(form.getValues(), CAPTION_LOOK);
  const isBox = look.caption_style === "box";
  const contrast = isBox ? contrastOnBox(look.caption_color, look.caption_box_color) : null;
  const changes = describeCaptionLook(look).slice(1);
  const set = (name: "captionBoxColor" | "captionY", value: string) =>
    form.setValue(name, value, { shouldDirty: true });
  return (
    <Disclosure
      isSmall
      title="More caption options"
      summary={changes.map(([, value]) => value).join(" · ") || "Standard"}
    >
      <div className="grid gap-3 pt-1.5 pb-1">
        <div className="flex flex-wrap gap-x-6 gap-y-3">
          <ChoiceField form={form} name="caption_font" label="Font" />
          <ChoiceField form={form} name="caption_weight" label="Weight" />
        </div>
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
                  format={toPercent}
                  onChange={(opacity) => set("captionBoxColor", withOpacity(look.caption_box_color, opacity))}
                />
              </div>
            </>
          )}
        </div>
        {contrast !== null && contrast < LEAST_CONTRAST && (
          <WarningNote
            text={`Hard to read: the contrast between text and box is ${contrast.toFixed(1)}:1, below 3:1.`}
          />
        )}
        <div className="grid max-w-110 gap-1">
          <Slider
            label="Vertical position"
            value={look.caption_y ?? USUAL_HEIGHTS[look.caption_position]}
            step={0.01}
            format={look.caption_y === null ? () => "Set by Position" : describeHeight}
            onChange={(height) => set("captionY", String(height))}
          />
          <span className="text-12 text-ink-3">
            {look.caption_y === null
              ? "You can also drag the caption in the preview."
              : "Choose Top, Middle or Bottom to go back to a fixed position."}
          </span>
        </div>
        <div className="grid gap-1">
          <SettingField form={form} name="caption_highlight" />
          <span className="text-12 text-ink-3">Words between asterisks, *like these*, get another color.</span>
        </div>
      </div>
    </Disclosure>
  );
}

function toPercent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
