import { sliceSamples } from "./sample-tables.ts";
import type { Edit, Piece, Track } from "./track.ts";

export function endAt(track: Track, seconds: number): Track {
  const start = track.edits[0]?.mediaTime ?? 0;
  const { durations } = track.samples;
  const end = Math.round(start + seconds * track.timescale);
  let [count, time] = [0, 0];
  while (count < durations.length && time < end) time += durations[count++]!;
  const samples = sliceSamples(track.samples, 0, count);
  if (time > end) {
    samples.durations = Int32Array.from(samples.durations);
    samples.durations[count - 1]! -= time - end;
  }
  const edits = track.edits.map(({ mediaTime, ...edit }): Edit => ({
    mediaTime,
    seconds: Math.min(edit.seconds, seconds),
  }));
  return { ...track, samples, edits };
}

/**
 * Sound loses the packets that only prime the decoder; frames get negative delays, so that the first one is shown at
 * zero.
 */
export function withoutEdits(track: Track): Track {
  const skipped = track.edits[0]?.mediaTime ?? 0;
  const { samples } = track;
  if (track.kind === "picture") {
    return { ...track, edits: [], samples: { ...samples, delays: samples.delays.map((delay) => delay - skipped) } };
  }
  let [first, time, bytes] = [0, 0, 0];
  while (first < samples.sizes.length && time + samples.durations[first]! <= skipped) {
    bytes += samples.sizes[first]!;
    time += samples.durations[first++]!;
  }
  const pieces = track.pieces.map((piece, i): Piece => (i === 0 ? skip(piece, bytes) : piece));
  return { ...track, edits: [], samples: sliceSamples(samples, first, samples.sizes.length), pieces };
}

function skip(piece: Piece, bytes: number): Piece {
  return { ...piece, at: piece.at + bytes, bytes: piece.bytes - bytes };
}
