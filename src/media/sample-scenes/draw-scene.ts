import { writeFile } from "node:fs/promises";
import path from "node:path";
import { type Canvas, createCanvas } from "@napi-rs/canvas";
import { openDrawing } from "../plan/arguments/source-arguments.ts";
import type { Layer, Scene } from "./scene.ts";

/** Soft images lose nothing at this scale, and the first start is faster. */
const PAINTED = 0.75;
const GRAIN = "noise=c0s=7:c0f=t+u";

/** Returns the paths in order. Yields between layers. */
export async function paintLayers(scene: Scene, folder: string, name: string): Promise<string[]> {
  const files: string[] = [];
  for (const [i, layer] of scene.layers.entries()) {
    const file = path.join(folder, `${name}-${i}.png`);
    await writeFile(file, await paintLayer(layer).encode("png"));
    files.push(file);
  }
  return files;
}

/** Blurs the complete layer: blurring each shape would take seconds. */
function paintLayer({ width, height, paint, blur = 0 }: Layer): Canvas {
  const size = [Math.ceil(width * PAINTED), Math.ceil(height * PAINTED)] as const;
  const sharp = createCanvas(...size);
  const sharpContext = sharp.getContext("2d");
  sharpContext.scale(PAINTED, PAINTED);
  paint(sharpContext);
  if (blur === 0) return sharp;
  const soft = createCanvas(...size);
  const context = soft.getContext("2d");
  context.filter = `blur(${blur * PAINTED}px)`;
  context.drawImage(sharp, 0, 0);
  return soft;
}

/** Inputs are numbered from `firstInput`; the graph makes `[picture]`. */
export function sceneArguments(
  scene: Scene,
  files: readonly string[],
  { seconds, firstInput }: { seconds: number; firstInput: number },
): string[] {
  const { width, height, framesPerSecond, layers } = scene;
  const chains = layers.map(
    (layer, i) => `[below${i}][${firstInput + i + 1}:v]overlay=${placeOf(layer)}[below${i + 1}]`,
  );
  return [
    ...["-f", "lavfi", "-i", `color=s=${width * PAINTED}x${height * PAINTED}:r=${framesPerSecond}:d=${seconds}`],
    ...files.flatMap((file) => openDrawing(file)),
    "-filter_complex",
    [
      `[${firstInput}:v]format=yuv444p[below0]`,
      ...chains,
      `[below${layers.length}]scale=${width}:${height}:flags=bicubic,format=yuv420p,${GRAIN}[picture]`,
    ].join(";"),
  ];
}

function placeOf({ x = "0", y = "0", seenWhen }: Layer): string {
  return [
    `x='${PAINTED}*(${x})'`,
    `y='${PAINTED}*(${y})'`,
    "format=yuv444",
    ...(seenWhen ? [`enable='${seenWhen}'`] : []),
  ].join(":");
}
