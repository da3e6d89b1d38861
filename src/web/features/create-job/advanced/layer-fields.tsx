import { useMemo } from "react";
import type { UseFormReturn } from "react-hook-form";
import { partField } from "#contract/jobs/assemblies/slots.ts";
import { layersProblem } from "#contract/jobs/outputs/layer-rules.ts";
import type { Layer } from "#contract/jobs/outputs/layers.ts";
import { LayerList } from "../../../layers/layer-list.tsx";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import type { JobForm, ReadForm } from "../draft/job-form.ts";

export function LayerFields({ form, read }: { form: UseFormReturn<JobForm>; read: ReadForm }) {
  const { layers, rows, slots } = read;
  const upload = useExclusiveAction();
  // Reading 10,000 rows takes 200 ms.
  const { columns, problem } = useMemo(() => readColumns({ layers, rows, slots }), [layers, rows, slots]);
  return (
    <LayerList
      layers={layers}
      columns={columns}
      problem={problem}
      hint="Texts and images over every file, such as a price or a logo. {row.price} is a column of your table."
      upload={upload}
      onChange={(changed) => form.setValue("layers", writeLayers(changed), { shouldDirty: true })}
    />
  );
}

function readColumns({ layers, rows, slots }: Pick<ReadForm, "layers" | "rows" | "slots">) {
  const passes = rows.map(({ pass = {} }) => pass);
  const parts = slots.length === 0 ? [] : [Object.fromEntries(slots.map(({ name }) => [partField(name), name]))];
  // A new layer is empty at first.
  const isFilled = layers.every((layer) => (layer.kind === "text" ? layer.text : layer.image).trim() !== "");
  return {
    columns: [...new Set(passes.flatMap((pass) => Object.keys(pass)))],
    problem: isFilled ? layersProblem(layers, [...passes, ...parts]) : null,
  };
}

/** As the form stores them. */
export function writeLayers(layers: readonly Layer[]): string {
  return layers.length === 0 ? "" : JSON.stringify(layers);
}

/** `point` is the layer's middle. */
export function moveLayer(layers: readonly Layer[], place: number, point: { x: number; y: number }): Layer[] {
  return layers.map((layer, i) => (i === place ? Object.assign({}, layer, point) : layer));
}
