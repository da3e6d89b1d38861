/** What is found in the outputs of a clip in one mode. */
import type { Expected } from "./clips/corpus-clip.ts";
import type { Measured } from "./measure-output.ts";
import type { Mode } from "./render-modes.ts";

/** A row of the report: what one mode made of one clip. */
export type Row = {
  clip: string;
  about: string;
  mode: Mode;
  frames: string;
  firstAndLast: string;
  seconds: string;
  offsets: string;
  bars: string;
  letters: string;
  roundness: string;
  faults: string[];
};

export type Findings = Omit<Row, "clip" | "about" | "mode">;

export const NOTHING_FOUND: Findings = {
  ...{ frames: "", firstAndLast: "", seconds: "", offsets: "", bars: "", letters: "", roundness: "" },
  faults: [],
};

/** Compares one side of what was measured with what a player shows. Each fault is a sentence. */
export type Check = (
  expected: Expected,
  measured: Measured,
  mode: Mode,
) => { figures: Partial<Findings>; faults: string[] };

export const MAX_FRAMES_PER_SECOND = 60;

/** Returns the sentence if it is true. */
export function faultIf(isFault: boolean, sentence: string): string[] {
  return isFault ? [sentence] : [];
}

/** Returns seconds as milliseconds, for a sentence. */
export function milliseconds(seconds: number): string {
  return (seconds * 1_000).toFixed(1);
}
