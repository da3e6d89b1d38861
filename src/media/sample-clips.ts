/** The library's first clips, drawn by ffmpeg alone, so that a fresh install has something to work with. */
import path from "node:path";
import { runFfmpeg } from "./run-ffmpeg.ts";
import { padExpression, arpeggioExpression } from "./sample-sounds.ts";
import type { MediaTools } from "./tools.ts";

export type SampleClip = { fileName: string; title: string; kind: "video" | "audio"; durationSeconds: number };

type Sample = SampleClip & {
  /** A lavfi graph for the picture; null for music. */
  picture: string | null;
  /** What aevalsrc plays; null for a silent clip. */
  sound: string | null;
};

/** Twice the size of what is computed: soft pictures lose nothing, and the first start is quick. */
const ENLARGE = "scale=iw*2:ih*2:flags=bicubic";

const SAMPLES: Sample[] = [
  {
    fileName: "dusk-portrait.mp4",
    title: "Dusk",
    kind: "video",
    durationSeconds: 6,
    picture: [
      "gradients=s=360x640:r=24:nb_colors=4:c0=0x1b1b4b:c1=0x7a2a6b:c2=0xe8655a:c3=0xffc371:x0=180:y0=20:x1=180:y1=620:speed=0.012:seed=7",
      ENLARGE,
    ].join(","),
    sound: padExpression([220, 277.18, 329.63]),
  },
  {
    fileName: "reef-portrait.mp4",
    title: "Reef",
    kind: "video",
    durationSeconds: 5,
    picture: [
      "life=s=90x160:r=15:ratio=0.18:mold=12:seed=11:life_color=0x7ff5d2:mold_color=0x0b4a6f:death_color=0x125f7d",
      "format=gbrp,gblur=sigma=1.6,scale=720:1280:flags=bicubic,fps=30",
    ].join(","),
    sound: null,
  },
  {
    fileName: "deep-zoom-landscape.mp4",
    title: "Deep zoom",
    kind: "video",
    durationSeconds: 7,
    picture: [
      "mandelbrot=s=640x360:r=25:maxiter=160:inner=black:start_scale=1.4:end_scale=0.03:end_pts=175:start_x=-0.743643887:start_y=-0.131825904",
      "format=gray,gblur=sigma=1.2,format=gbrp",
      // from deep blue to gold
      `lutrgb=r='20+val*0.9':g='18+val*0.68':b='90-val*0.2',${ENLARGE}`,
    ].join(","),
    sound: padExpression([146.83, 220, 293.66]),
  },
  {
    fileName: "orbit-landscape.mp4",
    title: "Orbit",
    kind: "video",
    durationSeconds: 5,
    picture: [
      "gradients=s=640x360:r=30:nb_colors=3:c0=0x0f2027:c1=0x203a43:c2=0x2c5364:x0=0:y0=0:x1=640:y1=360:speed=0.008:seed=3[sky]",
      `;color=c=0xffd166:s=120x120:r=30:d=0.04,format=rgba,${disc(60)}[sun]`,
      `;color=c=0xef476f:s=48x48:r=30:d=0.04,format=rgba,${disc(24)}[moon]`,
      ";[sky][sun]overlay=x=260:y='120+6*sin(2*PI*t/5)'[lit]",
      ";[lit][moon]overlay=x='296+200*cos(2*PI*t/5)':y='156+90*sin(2*PI*t/5)'",
      `,${ENLARGE}`,
    ].join(""),
    sound: null,
  },
  {
    fileName: "soft-arpeggio.m4a",
    title: "Soft arpeggio",
    kind: "audio",
    durationSeconds: 8,
    picture: null,
    sound: arpeggioExpression(),
  },
];

/**
 * Draws the sample clips into `folder`: four videos (two portrait, two landscape, one of each without sound) and a music
 * track that loops without a seam. Throws what `runFfmpeg` throws.
 */
export async function drawSampleClips(
  tools: MediaTools,
  folder: string,
  options: { signal?: AbortSignal } = {},
): Promise<SampleClip[]> {
  for (const sample of SAMPLES) {
    const args = sampleArguments(sample, path.join(folder, sample.fileName));
    await runFfmpeg(tools, { step: `sample ${sample.fileName}`, args, signal: options.signal });
  }
  return SAMPLES.map(({ fileName, title, kind, durationSeconds }) => ({ fileName, title, kind, durationSeconds }));
}

function sampleArguments(sample: Sample, file: string): string[] {
  const { picture, sound, durationSeconds } = sample;
  return [
    ...(picture ? ["-f", "lavfi", "-i", picture] : []),
    ...(sound ? ["-f", "lavfi", "-i", `aevalsrc=exprs='${sound}':s=48000:d=${durationSeconds}`] : []),
    ...(picture ? ["-c:v", "libx264", "-preset", "superfast", "-crf", "23", "-pix_fmt", "yuv420p"] : []),
    ...(sound ? ["-c:a", "aac", "-b:a", "192k", "-ac", "2"] : []),
    ...["-t", String(durationSeconds), "-movflags", "+faststart", "-f", "mp4", `file:${file}`],
  ];
}

/** Keeps of a square only the disc in it, with a soft edge. */
function disc(radius: number): string {
  const edge = `clip(${radius}-hypot(X-${radius},Y-${radius}),0,1)`;
  return `geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='255*${edge}'`;
}
