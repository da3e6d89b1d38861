/** 50 outputs of different sources, formats and platforms: their reports compared with ffmpeg's measurements. */
import type { Platform } from "#contract/jobs/outputs/conformance.ts";
import { PLATFORMS } from "#contract/jobs/outputs/platforms.ts";
import { findMismatches } from "#tests/support/media/check-report.ts";
import { makeClip, type ClipOptions } from "#tests/support/media/make-clip.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { openBenchFolder } from "../support/runs.ts";

const OUTPUTS = 50;
const SIZES = [
  [1920, 1080],
  [1080, 1920],
  [640, 360],
  [360, 640],
  [480, 480],
  [200, 300],
  [1280, 720],
] as const;
const RATES = [12, 24, 25, 29.97, 30, 50, 60];
const FORMATS = ["source", "9:16", "source", "1:1", "source"] as const;
const FITS = ["crop", "blur", "pad"] as const;
const platforms = Object.keys(PLATFORMS) as Platform[];

await using folder = await openBenchFolder();
let checks = 0;
let warnings = 0;
const mismatches: string[] = [];
for (let i = 0; i < OUTPUTS; i++) {
  const source = folder.file(`source-${i}.mp4`);
  const [width, height] = SIZES[i % SIZES.length]!;
  const clip: ClipOptions = {
    ...{ width, height, framesPerSecond: RATES[(i * 3) % RATES.length]!, seconds: 1 + (i % 4) * 0.7 },
    ...{ channels: i % 3 === 0 ? 1 : 2, sampleRate: i % 2 === 0 ? 44_100 : 48_000, rotation: i % 5 === 0 ? 90 : 0 },
    ...(i % 7 === 0 ? { toneHz: null } : {}),
  };
  await makeClip(source, clip);
  const platform = platforms[i % platforms.length]!;
  const settings = {
    platform,
    format: FORMATS[i % FORMATS.length]!,
    fit: FITS[i % FITS.length]!,
    quality: "draft",
  } as const;
  const [output] = await renderClip(folder.file(`out-${i}`), {
    source,
    settings,
    ...(i % 2 ? { captions: ["Hi"] } : {}),
  });
  const report = output!.conformance!;
  checks += report.checks.length;
  warnings += report.checks.filter(({ status }) => status === "warn").length;
  for (const mismatch of await findMismatches(report, output!.path))
    mismatches.push(`output ${i}, ${platform}: ${mismatch}`);
}
console.log(`${OUTPUTS} outputs, ${checks} checks, ${warnings} of them warnings, ${mismatches.length} wrong`);
for (const mismatch of mismatches) console.log(`  ${mismatch}`);
if (mismatches.length > 0) process.exitCode = 1;
