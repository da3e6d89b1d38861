import type { Track } from "./track.ts";

/** Long enough for few reads, short enough for players that buffer little. */
const CHUNK_SECONDS = 1;

export type Chunk = { track: number; samples: number; bytes: number };

/** Stores samples near those played at the same time: at most one chunk per track and second. */
export function interleave(tracks: readonly Pick<Track, "samples" | "timescale">[]): Chunk[] {
  const chunks = tracks.flatMap((track, i) => chunksOf(track).map((chunk) => Object.assign(chunk, { track: i })));
  return chunks.toSorted((a, b) => a.turn - b.turn || a.track - b.track);
}

function chunksOf({ samples: { sizes, durations }, timescale }: Pick<Track, "samples" | "timescale">) {
  const chunks: { turn: number; samples: number; bytes: number }[] = [];
  let time = 0;
  for (let i = 0; i < sizes.length; i++) {
    const turn = Math.floor(time / timescale / CHUNK_SECONDS);
    let last = chunks.at(-1);
    if (last?.turn !== turn) chunks.push((last = { turn, samples: 0, bytes: 0 }));
    last.samples += 1;
    last.bytes += sizes[i]!;
    time += durations[i]!;
  }
  return chunks;
}
