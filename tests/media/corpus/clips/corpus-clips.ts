import { CHANGING_CLIPS } from "./changing-clips.ts";
import { CLOCK_CLIPS } from "./clock-clips.ts";
import { COLOR_CLIPS } from "./color-clips.ts";
import type { CorpusClip } from "./corpus-clip.ts";
import { EXTRA_TRACK_CLIPS } from "./extra-track-clips.ts";
import { RATE_CLIPS } from "./rate-clips.ts";
import { SHAPE_CLIPS } from "./shape-clips.ts";
import { SOUND_CLIPS } from "./sound-clips.ts";

export const CORPUS: CorpusClip[] = [
  ...RATE_CLIPS,
  ...SHAPE_CLIPS,
  ...COLOR_CLIPS,
  ...SOUND_CLIPS,
  ...CLOCK_CLIPS,
  ...CHANGING_CLIPS,
  ...EXTRA_TRACK_CLIPS,
];
