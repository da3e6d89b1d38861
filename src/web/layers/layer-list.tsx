import { ArrowDown, ArrowUp, Ellipsis, Image, Trash2, Type } from "lucide-react";
import type { ReactNode } from "react";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import type { ImageLayer, Layer, TextLayer } from "#contract/jobs/outputs/layers.ts";
import { ImageField } from "../sources/image-field.tsx";
import { Button } from "../ui/buttons/button.tsx";
import { TextAreaField } from "../ui/fields/text-area-field.tsx";
import { Menu } from "../ui/menus/menu.tsx";
import type { ExclusiveAction } from "../ui/use-exclusive-action.ts";
import { ErrorBox } from "../ui/states/error-box.tsx";
import { LayerLook } from "./layer-look.tsx";

type LayerListProps = {
  layers: readonly Layer[];
  /** Of the job's rows, which fields can name. */
  columns: readonly string[];
  problem: string | null;
  hint: ReactNode;
  /** One image at a time. */
  upload: ExclusiveAction;
  onChange: (layers: Layer[]) => void;
};

/** Texts and images over the video. Later ones cover earlier ones. */
export function LayerList({ layers, columns, problem, hint, upload, onChange }: LayerListProps) {
  const isFull = layers.length >= JOB_LIMITS.layers;
  const change = (place: number, layer: Layer) => onChange(layers.map((other, i) => (i === place ? layer : other)));
  function move(place: number, by: -1 | 1) {
    const moved = [...layers];
    moved.splice(place + by, 0, ...moved.splice(place, 1));
    onChange(moved);
  }
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-1.5 font-medium text-ink">Layers</legend>
      {layers.length > 0 && (
        <ol aria-label="Layers" className="grid gap-2">
          {layers.map((layer, place) => (
            // oxlint-disable-next-line react/no-array-index-key -- layers have no identity but their place
            <li key={place} className="grid gap-2 rounded-2 border border-line bg-raised p-2.5">
              {layer.kind === "text" ? (
                <TextContent layer={layer} place={place} onChange={(changed) => change(place, changed)} />
              ) : (
                <ImageContent
                  layer={layer}
                  place={place}
                  columns={columns}
                  upload={upload}
                  onChange={(changed) => change(place, changed)}
                />
              )}
              <div className="flex items-center gap-2">
                <LayerLook layer={layer} place={place} onChange={(changed) => change(place, changed)} />
                <span className="ml-auto">
                  <Menu
                    label={`Actions for layer ${place + 1}`}
                    icon={Ellipsis}
                    items={[
                      {
                        label: "Move up",
                        icon: ArrowUp,
                        isDisabled: place === 0 || upload.isBusy,
                        onSelect: () => move(place, -1),
                      },
                      {
                        label: "Move down",
                        icon: ArrowDown,
                        isDisabled: place === layers.length - 1 || upload.isBusy,
                        onSelect: () => move(place, 1),
                      },
                      {
                        label: "Remove",
                        icon: Trash2,
                        // An uploaded image goes to the layer at this place.
                        isDisabled: upload.isBusy,
                        onSelect: () => onChange(layers.filter((_, i) => i !== place)),
                      },
                    ]}
                  />
                </span>
              </div>
            </li>
          ))}
        </ol>
      )}
      {problem !== null && (
        <div role="alert">
          <ErrorBox text={problem} />
        </div>
      )}
      <span className="text-12 text-ink-3">{layers.length > 1 ? "Later layers cover earlier ones." : hint}</span>
      <div className="-ml-2 flex flex-wrap">
        <Button
          size="sm"
          look="quiet"
          icon={Type}
          disabled={isFull}
          onClick={() => onChange([...layers, { kind: "text", text: "" }])}
        >
          Add text layer
        </Button>
        <Button
          size="sm"
          look="quiet"
          icon={Image}
          disabled={isFull}
          onClick={() => onChange([...layers, { kind: "image", image: "" }])}
        >
          Add image layer
        </Button>
      </div>
    </fieldset>
  );
}

function TextContent({
  layer,
  place,
  onChange,
}: {
  layer: TextLayer;
  place: number;
  onChange: (layer: TextLayer) => void;
}) {
  return (
    <TextAreaField
      label={`Text of layer ${place + 1}`}
      isLabelHidden
      rows={layer.text.includes("\n") ? 2 : 1}
      dir="auto"
      maxLength={JOB_LIMITS.layerCharacters}
      placeholder="A text, or a field such as {row.price}"
      value={layer.text}
      onChange={({ target }) => onChange({ ...layer, text: target.value })}
    />
  );
}

function ImageContent({
  layer,
  place,
  columns,
  upload,
  onChange,
}: {
  layer: ImageLayer;
  place: number;
  columns: readonly string[];
  upload: ExclusiveAction;
  onChange: (layer: ImageLayer) => void;
}) {
  const fields = columns.map((column) => ({ value: `{row.${column}}`, label: `Column ${column}` }));
  const isKnown = layer.image === "" || !layer.image.startsWith("{") || fields.some((one) => one.value === layer.image);
  return (
    <ImageField
      label={`Image of layer ${place + 1}`}
      noneLabel="Choose an image"
      link={layer.image === "" ? null : layer.image}
      more={isKnown ? fields : [...fields, { value: layer.image, label: layer.image }]}
      upload={upload}
      onChange={(link) => onChange({ ...layer, image: link ?? "" })}
    />
  );
}
