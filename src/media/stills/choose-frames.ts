/** From 0 to 1: a cut is far above this, movement within a shot below. */
const CUT_SCORE = 0.2;

/**
 * Returns up to `most` ascending indexes into `scores` (one per sampled frame): the middle of each scene, then more
 * from long ones. With more scenes than `most`, takes the longest of each group of neighbors.
 */
export function chooseFrames(scores: readonly number[], most: number): number[] {
  const scenes = scenesOf(scores);
  const shown = scenes.length > most ? longestOfNeighbors(scenes, most) : scenes;
  const shares = shown.map(({ start, length }) => ({ start, length, frames: 1 }));
  let left = Math.min(most, scores.length) - shares.length;
  while (left > 0) {
    const widest = shares.reduce((a, b) => (a.length / a.frames >= b.length / b.frames ? a : b));
    if (widest.frames === widest.length) break;
    widest.frames += 1;
    left -= 1;
  }
  return shares.flatMap(({ start, length, frames }) =>
    Array.from({ length: frames }, (_, i) => start + Math.floor(((i + 0.5) * length) / frames)),
  );
}

type Scene = { start: number; length: number };

function scenesOf(scores: readonly number[]): Scene[] {
  const starts = scores.flatMap((score, i) => (i === 0 || score >= CUT_SCORE ? [i] : []));
  return starts.map((start, i) => ({ start, length: (starts[i + 1] ?? scores.length) - start }));
}

function longestOfNeighbors(scenes: readonly Scene[], most: number): Scene[] {
  return Array.from({ length: most }, (_, i) => {
    const group = scenes.slice(Math.floor((i * scenes.length) / most), Math.floor(((i + 1) * scenes.length) / most));
    return group.reduce((a, b) => (a.length >= b.length ? a : b));
  });
}
