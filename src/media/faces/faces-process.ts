/**
 * Started by `detect-faces.ts` with a file of frames, 24-bit RGB, and their width and height, of which one is the
 * model's. Writes a line of JSON per frame to stdout: its faces.
 */
import { open } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { env, InferenceSession, Tensor } from "onnxruntime-web";
import { type Face, FACE_MODEL, MODEL_PIXELS, readFaces } from "./find-faces.ts";

const CHANNELS = 3;
/** From -1 to 1. Around a picture of another shape is black. */
const BLACK = -1;

const [file, width, height] = [process.argv[2]!, Number(process.argv[3]), Number(process.argv[4])];
const left = Math.floor((MODEL_PIXELS - width) / 2);
const top = Math.floor((MODEL_PIXELS - height) / 2);
const picture = new Float32Array(MODEL_PIXELS * MODEL_PIXELS * CHANNELS).fill(BLACK);

env.wasm.numThreads = 1;
const session = await InferenceSession.create(fileURLToPath(import.meta.resolve(FACE_MODEL)), {
  executionProviders: ["wasm"],
  // Without warnings about unused weights.
  logSeverityLevel: 3,
});
const input = session.inputNames[0]!;
const [scores, smallScores, boxes, smallBoxes] = session.outputNames as [string, string, string, string];

await using frames = await open(file);
const bytes = Buffer.alloc(width * height * CHANNELS);
for (;;) {
  const { bytesRead } = await frames.read(bytes, 0, bytes.length);
  if (bytesRead < bytes.length) break;
  const faces = (await look()).map(fromSquare);
  await new Promise((resolve) => process.stdout.write(`${JSON.stringify(faces)}\n`, resolve));
}

async function look(): Promise<Face[]> {
  for (let y = 0; y < height; y++) {
    const from = y * width * CHANNELS;
    const to = ((top + y) * MODEL_PIXELS + left) * CHANNELS;
    for (let i = 0; i < width * CHANNELS; i++) picture[to + i] = bytes[from + i]! / 127.5 - 1;
  }
  const pixels = new Tensor("float32", picture, [1, MODEL_PIXELS, MODEL_PIXELS, CHANNELS]);
  const found = await session.run({ [input]: pixels });
  const valuesOf = (name: string) => found[name]!.data as Float32Array;
  return readFaces([
    { scores: valuesOf(scores), boxes: valuesOf(boxes) },
    { scores: valuesOf(smallScores), boxes: valuesOf(smallBoxes) },
  ]);
}

/** From shares of the model's picture to shares of the frame. */
function fromSquare(face: Face): Face {
  const along = (start: number, offset: number, length: number) => round((start * MODEL_PIXELS - offset) / length);
  return {
    left: along(face.left, left, width),
    top: along(face.top, top, height),
    width: along(face.width, 0, width),
    height: along(face.height, 0, height),
    score: round(face.score),
  };
}

function round(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
