import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { QUALITIES, type Quality } from "#contract/jobs/jobs.ts";
import type { Encoder } from "#contract/settings/encoders.ts";
import { runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import type { MediaTools } from "../ffmpeg/tools.ts";
import { type Cost, encodeClip, encodeCopies } from "./encode-clip.ts";
import { chooseScore, type Score, scoreClip } from "./score-clip.ts";
import { TRIAL_PICTURES } from "./trial-pictures.ts";

export const COPIES = 8;

type Figures = Cost & { bytes: number; score: number };
export type Comparison = { clip: string; quality: Quality; encoder: Figures; software: Figures };
export type TrialReport = {
  onCompared: (comparison: Comparison, score: Score["name"]) => void;
  /** In frames per second, of all copies together. */
  onCopies: (speeds: { encoder: number; software: number }) => void;
};

/** `files` replace the generated clips. Throws ClipmillError "render_failed" with ffmpeg's message. */
export async function tryEncoder(
  tools: MediaTools,
  encoder: Encoder,
  { seconds, files, qualities = QUALITIES }: { seconds: number; files: string[]; qualities?: readonly Quality[] },
  { onCompared, onCopies }: TrialReport,
): Promise<void> {
  const { ffmpeg } = tools;
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-encoder-"));
  try {
    const clips = files.length > 0 ? new Map(files.map((file) => [path.basename(file), file])) : null;
    const sources = clips ?? (await drawClips(tools, folder, seconds));
    const score = await chooseScore(ffmpeg);
    const threads = os.availableParallelism();
    const encoded = path.join(folder, "encoded.mp4");
    const measure = async (name: Encoder, clip: string, quality: Quality): Promise<Figures> => {
      const cost = await encodeClip(ffmpeg, clip, encoded, { encoder: name, quality, threads });
      return { ...cost, score: await scoreClip(score, encoded, clip) };
    };
    for (const [clip, file] of sources) {
      for (const quality of qualities) {
        const software = await measure("software", file, quality);
        onCompared({ clip, quality, software, encoder: await measure(encoder, file, quality) }, score.name);
      }
    }
    const [first] = sources.values();
    const speedOfCopies = async (name: Encoder): Promise<number> => {
      const encoding = { encoder: name, quality: "standard", threads: Math.ceil(threads / COPIES) } as const;
      const discarded = Array.from({ length: COPIES }, () => ["-f", "null", "-"]);
      return (await encodeCopies(ffmpeg, first!, encoding, ...discarded)).framesPerSecond;
    };
    onCopies({ software: await speedOfCopies("software"), encoder: await speedOfCopies(encoder) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Clips like a phone's, at a high bit rate. */
async function drawClips(tools: MediaTools, folder: string, seconds: number): Promise<Map<string, string>> {
  const clips = new Map<string, string>();
  for (const [name, picture] of Object.entries(TRIAL_PICTURES)) {
    const file = path.join(folder, `${name}.mp4`);
    const source = ["-f", "lavfi", "-i", picture, "-t", String(seconds)];
    const output = ["-c:v", "libx264", "-preset", "superfast", "-crf", "14", "-pix_fmt", "yuv420p", `file:${file}`];
    await runFfmpeg(tools, { step: `trial ${name}`, args: [...source, ...output] });
    clips.set(name, file);
  }
  return clips;
}
