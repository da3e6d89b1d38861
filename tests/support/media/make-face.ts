/** Draws a face that the model finds, and clips of it. */
import { rm, writeFile } from "node:fs/promises";
import { type Canvas, createCanvas } from "@napi-rs/canvas";
import { runTestFfmpeg } from "./media-tools.ts";

export const FACE_CLIP = { width: 320, height: 180, framesPerSecond: 10 } as const;
/** In shares of the picture's height. */
const FACE = { top: 0.2, height: 0.2, strip: 0.2 } as const;
const FACE_SHAPE = 100 / 130;
/** The head's width, as a share of the picture's. */
export const FACE_WIDTH = (FACE.height * FACE_SHAPE * FACE_CLIP.height) / FACE_CLIP.width;
const STRIP = { from: 20, to: 235 } as const;

/** Null hides the face. */
export type FaceFrame = { middle: number | null; ground: string };

/**
 * Writes a clip without sound, with a face whose middle is a share of the width. Along the bottom, brightness rises from
 * left to right, so that `readCrop` finds what a crop shows. Nothing else has the colors of skin.
 */
export async function makeFaceClip(path: string, frames: readonly FaceFrame[]): Promise<void> {
  const { width, height, framesPerSecond } = FACE_CLIP;
  const face = drawFace();
  const bytes = Buffer.alloc(frames.length * width * height * 4);
  for (const [i, { middle, ground }] of frames.entries()) {
    const canvas = createCanvas(width, height);
    const picture = canvas.getContext("2d");
    picture.fillStyle = ground;
    picture.fillRect(0, 0, width, height);
    for (let x = 0; x < width; x++) {
      const gray = STRIP.from + ((STRIP.to - STRIP.from) * x) / width;
      picture.fillStyle = `rgb(${gray},${gray},${gray})`;
      picture.fillRect(x, height * (1 - FACE.strip), 1, height * FACE.strip);
    }
    const across = FACE_WIDTH * width;
    if (middle !== null) {
      picture.drawImage(face, middle * width - across / 2, FACE.top * height, across, FACE.height * height);
    }
    bytes.set(canvas.data(), i * width * height * 4);
  }
  const raw = `${path}.raw`;
  await writeFile(raw, bytes);
  await runTestFfmpeg([
    ...["-f", "rawvideo", "-pix_fmt", "rgba", "-s", `${width}x${height}`, "-r", String(framesPerSecond), "-i", raw],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-crf", "8", "-pix_fmt", "yuv420p", path],
  ]);
  await rm(raw);
}

function drawFace(): Canvas {
  const canvas = createCanvas(200, 260);
  const picture = canvas.getContext("2d");
  picture.scale(2, 2);
  const ellipse = (x: number, y: number, across: number, down: number, color: string) => {
    picture.fillStyle = color;
    picture.beginPath();
    picture.ellipse(x, y, across, down, 0, 0, 2 * Math.PI);
    picture.fill();
  };
  ellipse(50, 62, 50, 62, "#3b2a20");
  ellipse(50, 72, 43, 54, "#e8b898");
  for (const x of [31, 69]) {
    ellipse(x, 64, 9, 5, "#fbf7f2");
    ellipse(x, 64, 4.5, 4.5, "#2c1b12");
    ellipse(x, 53, 11, 2.5, "#3b2a20");
  }
  ellipse(50, 80, 6, 9, "#d29a78");
  ellipse(45, 87, 2.5, 1.8, "#8a5a44");
  ellipse(55, 87, 2.5, 1.8, "#8a5a44");
  ellipse(50, 103, 15, 5, "#a8434a");
  ellipse(50, 102, 14, 1.4, "#6b2328");
  return canvas;
}

/** What a crop of such a frame, in RGB, shows: its middle, as a share of the source's width, and the pixels of skin. */
export function readCrop(data: Uint8Array, { width, height }: { width: number; height: number }) {
  let [gray, skin, count] = [0, 0, 0];
  for (let y = 0; y < height; y++) {
    // Without the strip's upper edge.
    const isStrip = y > height * (1 - FACE.strip / 2);
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
      if (red - blue > 40 && red > 120) skin += 1;
      if (!isStrip) continue;
      gray += (red + green + blue) / 3;
      count += 1;
    }
  }
  return { middle: (gray / count - STRIP.from) / (STRIP.to - STRIP.from), skin };
}
