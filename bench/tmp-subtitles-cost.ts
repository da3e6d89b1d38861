import { readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { JOB_DEFAULTS, streamSettings } from "#contract/job-settings/setting-values.ts";
import { openTextDrawer } from "#media/captions/drawing/text-drawer.ts";
import { lookOf } from "#media/captions/layout/caption-shape.ts";
import { addSubtitles, distinctWords } from "#media/plan/add-subtitles.ts";
import { readSubtitles } from "#media/subtitles/read-subtitles.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";

const folder = await mkdtemp(path.join(os.tmpdir(), "cost-"));
const source = path.join(folder, "clip.mp4");
await runTestFfmpeg([
  "-f",
  "lavfi",
  "-i",
  "testsrc2=s=720x1280:r=30:d=20",
  "-f",
  "lavfi",
  "-i",
  "sine=f=300:d=20",
  "-c:v",
  "libx264",
  "-preset",
  "veryfast",
  "-c:a",
  "aac",
  source,
]);
const text =
  "So here is the thing, when you talk about cost, you have to measure it. Nobody believes a number that was guessed. "
    .repeat(3)
    .trim()
    .split(" ");
const spoken = text.map((word, i) => ({ word, start: 0.2 + i * 0.31, end: 0.5 + i * 0.31 }));
const transcript = readSubtitles(new TextEncoder().encode(JSON.stringify(spoken)));
const drawer = openTextDrawer();
const words = distinctWords(transcript);
const measured = await drawer.measureWords(words, lookOf(streamSettings(JOB_DEFAULTS)), new AbortController().signal);
function cpu() {
  const f = readFileSync("/proc/self/stat", "utf8").split(") ")[1]!.split(" ");
  return (Number(f[11]) + Number(f[12]) + Number(f[13]) + Number(f[14])) / 100;
}
for (let round = 0; round < 2; round++)
  for (const style of [null, "line", "word", "karaoke"] as const) {
    const t = cpu();
    const w = performance.now();
    const cut =
      style === null
        ? undefined
        : (request: any) =>
            addSubtitles(
              request,
              new Map([[0, transcript]]),
              { subtitle_style: style, subtitle_position: null },
              { words, measured },
            );
    await renderClip(path.join(folder, `${style}-${round}`), {
      source,
      captions: ["Look at this offer"],
      captionLook: { position: "top" },
      ...(cut && { cut }),
    } as any);
    console.log(
      round,
      style ?? "caption",
      (cpu() - t).toFixed(2),
      "CPU s",
      ((performance.now() - w) / 1000).toFixed(1),
      "s",
    );
  }
process.exit(0);
