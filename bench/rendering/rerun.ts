/** A rerun with different music: CPU compared with the first render, and streams reused from the cache. */
import { openStreamCache } from "#media/render/stream-cache.ts";
import { makeTone } from "#tests/support/media/make-clip.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { drawClip } from "../support/clips.ts";
import { costOf } from "../support/cpu.ts";
import { clipSeconds, describeMachine, describeRatio, openBenchFolder, RUNS } from "../support/runs.ts";

const CAPTIONS = ["Wait for the pour", "Save this for Monday", "Three sips in and it works", "You asked for it"];

await using folder = await openBenchFolder();
const source = folder.file("source.mp4");
await drawClip(source, clipSeconds(15));
const tracks = [folder.file("first.m4a"), folder.file("second.m4a")];
for (const [i, track] of tracks.entries()) await makeTone(track, { frequencyHz: 400 + 300 * i, seconds: 40 });
const cpu = { first: [] as number[], again: [] as number[] };
let counted = "";
for (let run = 0; run < RUNS; run++) {
  const streamCache = await openStreamCache(folder.file(`cache-${run}`), 1024 ** 3);
  const render = (track: string, name: string) =>
    renderClip(folder.file(`${name}-${run}`), {
      source,
      captions: CAPTIONS,
      variants: 4,
      tracks: [track],
      streamCache,
    });
  cpu.first.push((await costOf(() => render(tracks[0]!, "first"))).cpuSeconds);
  const before = { ...streamCache.counts };
  cpu.again.push((await costOf(() => render(tracks[1]!, "again"))).cpuSeconds);
  const { hits, misses } = streamCache.counts;
  counted = `${hits - before.hits} streams from the cache, ${misses - before.misses} encoded`;
}
console.log(
  `${clipSeconds(15)} s of 1080x1920 with 4 captions, then a rerun with different music; ${describeMachine()}`,
);
console.log(`Rerun: ${counted} (4 pictures, 1 sound)`);
console.log(`CPU of the first render / rerun: ${describeRatio(cpu.first, cpu.again)}`);
