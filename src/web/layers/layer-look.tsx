import { useState } from "react";
import { readColor } from "#contract/colors.ts";
import { CAPTION_FONTS, CAPTION_STYLES, CAPTION_WEIGHTS, FADES, POSITIONS } from "#contract/job-settings/choices.ts";
import {
  completeImage,
  completeText,
  type Layer,
  LEAST_LAYER_SIZE,
  MOST_TEXT_SIZE,
  type TextLayer,
} from "#contract/jobs/outputs/layers.ts";
import { ColorField } from "../ui/fields/color-field.tsx";
import { GridChoice } from "../ui/fields/grid-choice.tsx";
import { SegmentedField } from "../ui/fields/segmented-field.tsx";
import { Slider } from "../ui/fields/slider.tsx";
import { toOptions } from "../ui/fields/to-options.ts";
import { NumberField } from "../ui/fields/text-field.tsx";
import { Popover } from "../ui/menus/popover.tsx";

type LookProps = { layer: Layer; place: number; onChange: (layer: Layer) => void };

/** Place, size, look and times, in a popover beside the preview. */
export function LayerLook({ layer, place, onChange }: LookProps) {
  const { position, x, y, size, opacity } = completeLayer(layer);
  const change = (changes: Partial<Layer>) => onChange(Object.assign({}, layer, changes));
  return (
    <Popover label={`Look of layer ${place + 1}`} summary={describeLook(layer)}>
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="grid gap-1">
          <GridChoice
            label="Position"
            columns={3}
            options={toOptions(POSITIONS)}
            value={x === null ? position : null}
            onChange={(chosen) => change({ position: chosen, x: null, y: null })}
          />
          <span className="text-12 text-ink-3">
            {x === null || y === null ? "Or drag it in the preview." : describePoint(x, y)}
          </span>
        </div>
        <div className="grid min-w-40 flex-1 gap-3">
          <Slider
            label="Size"
            value={size}
            min={LEAST_LAYER_SIZE}
            max={layer.kind === "text" ? MOST_TEXT_SIZE : 1}
            step={0.01}
            format={toPercent}
            onChange={(value) => change({ size: value })}
          />
          <Slider
            label="Opacity"
            value={opacity}
            step={0.05}
            format={toPercent}
            onChange={(value) => change({ opacity: value })}
          />
        </div>
      </div>
      {layer.kind === "text" && <LetterFields layer={layer} onChange={change} />}
      <TimeFields layer={layer} onChange={change} />
    </Popover>
  );
}

function LetterFields({ layer, onChange }: { layer: TextLayer; onChange: (changes: Partial<TextLayer>) => void }) {
  const { style, font, weight, color, box_color } = completeText(layer);
  return (
    <>
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <SegmentedField
          label="Style"
          options={toOptions(CAPTION_STYLES)}
          value={style}
          onChange={(value) => onChange({ style: value })}
        />
        <SegmentedField
          label="Weight"
          options={toOptions(CAPTION_WEIGHTS)}
          value={weight}
          onChange={(value) => onChange({ weight: value })}
        />
        <SegmentedField
          label="Font"
          options={toOptions(CAPTION_FONTS)}
          value={font}
          onChange={(value) => onChange({ font: value })}
        />
      </div>
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <TypedColor label="Text color" color={color} onChange={(value) => onChange({ color: value.slice(0, 7) })} />
        {style === "box" && (
          <TypedColor label="Box color" color={box_color} onChange={(value) => onChange({ box_color: value })} />
        )}
      </div>
    </>
  );
}

function TypedColor({ label, color, onChange }: { label: string; color: string; onChange: (color: string) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const isInvalid = typed !== null && readColor(typed) === null;
  return (
    <div className="w-36">
      <ColorField
        label={label}
        value={typed ?? color}
        color={color}
        error={isInvalid ? "Enter a color such as #ffcc00" : undefined}
        onChange={(text) => {
          setTyped(text);
          const read = readColor(text);
          if (read !== null) onChange(read);
        }}
        onBlur={() => setTyped(null)}
      />
    </div>
  );
}

function TimeFields({ layer, onChange }: { layer: Layer; onChange: (changes: Partial<Layer>) => void }) {
  const { start_seconds: from, end_seconds: to, fade } = completeLayer(layer);
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
      <div className="w-32">
        <SecondsField
          label="Shown from"
          hint="Seconds"
          value={from}
          onChange={(value) => onChange({ start_seconds: value ?? 0 })}
        />
      </div>
      <div className="w-32">
        <SecondsField
          label="Shown until"
          hint="Seconds. Leave empty for the end"
          value={to}
          onChange={(value) => onChange({ end_seconds: value })}
        />
      </div>
      {(from > 0 || to !== null) && (
        <SegmentedField
          label="Fade"
          options={toOptions(FADES)}
          value={`${fade}`}
          onChange={(value) => onChange({ fade: Number(value) as typeof fade })}
        />
      )}
    </div>
  );
}

/** Invalid text is replaced on leaving the field. */
function SecondsField({
  label,
  hint,
  value,
  onChange,
}: {
  label: string;
  hint: string;
  value: number | null;
  onChange: (value: number | null) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <NumberField
      label={label}
      hint={hint}
      value={typed ?? (value === null ? "" : String(value))}
      onChange={({ target }) => {
        setTyped(target.value);
        const text = target.value.trim();
        const seconds = Number(text);
        if (text === "") onChange(null);
        else if (Number.isFinite(seconds) && seconds >= 0) onChange(seconds);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

/** Returns, for example, "Top · 5%". */
function describeLook(layer: Layer): string {
  const { position, x, y, size, opacity, start_seconds: from, end_seconds: to } = completeLayer(layer);
  const place = x === null || y === null ? POSITIONS[position] : describePoint(x, y);
  const times = to === null ? (from > 0 ? [`from ${from} s`] : []) : [`${from} to ${to} s`];
  return [place, toPercent(size), ...(opacity < 1 ? [`${toPercent(opacity)} opacity`] : []), ...times].join(" · ");
}

function completeLayer(layer: Layer) {
  return layer.kind === "text" ? completeText(layer) : completeImage(layer);
}

function describePoint(x: number, y: number): string {
  return `${toPercent(x)} from the left, ${toPercent(y)} from the top`;
}

function toPercent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
