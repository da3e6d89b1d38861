/** A video encoded in chunks of half a minute, as if it were long, compared with one piece: CPU, time and size. */
import { stat } from "node:fs/promises";
import { withChunks } from "#media/plan/chunks/with-chunks.ts";
import type { RenderRequest } from "#media/render/render.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { drawLongClip } from "../support/clips.ts";
import { costOf } from "../support/cpu.ts";
import { clipSeconds, describeMachine, describeRatio, openBenchFolder, RUNS } from "../support/runs.ts";

const CAPTIONS = ["One", "Two"];
/** A chunk costs the least that `CHUNK_LIMITS` allows. */
const SIZE = process.env["SIZE"] ?? "540x960";
const LIMITS = { leastMinutes: 0, leastSeconds: 0, chunkSeconds: 30, chunkMinutes: 0 };

await using folder = await openBenchFolder();
const source = folder.file("source.mp4");
await drawLongClip(source, clipSeconds(120), SIZE);
const inChunks = (request: RenderRequest) => withChunks(request, LIMITS);

const cpu = { chunks: [] as number[], whole: [] as number[] };
const wall = { chunks: [] as number[], whole: [] as number[] };
const bytes = { chunks: 0, whole: 0 };
for (let run = 0; run < RUNS; run++) {
  for (const kind of run % 2 === 0 ? (["chunks", "whole"] as const) : (["whole", "chunks"] as const)) {
    const request = { source, captions: CAPTIONS, variants: CAPTIONS.length };
    const cut = kind === "chunks" ? { cut: inChunks } : {};
    const { cpuSeconds, wallSeconds } = await costOf(async () => {
      const outputs = await renderClip(folder.file(`${kind}-${run}`), { ...request, ...cut });
      bytes[kind] = (await Promise.all(outputs.map(async ({ path }) => (await stat(path)).size))).reduce(
        (a, b) => a + b,
      );
    });
    cpu[kind].push(cpuSeconds);
    wall[kind].push(wallSeconds);
  }
}
console.log(`${clipSeconds(120)} s of ${SIZE}, ${CAPTIONS.length} captions; ${describeMachine()}`);
console.log(`CPU in chunks / in one piece: ${describeRatio(cpu.chunks, cpu.whole, { atMost: 1.02 })}`);
console.log(`Time in chunks / in one piece: ${describeRatio(wall.chunks, wall.whole, { atMost: 1.02 })}`);
console.log(`Bytes in chunks / in one piece: ${(bytes.chunks / bytes.whole).toFixed(4)}`);
