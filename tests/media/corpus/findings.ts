import type { Expected } from "./clips/corpus-clip.ts";
import type { Measured } from "./measure-output.ts";
import type { Mode } from "./render-modes.ts";

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
  problems: string[];
};

export type Findings = Omit<Row, "clip" | "about" | "mode">;

export const NOTHING_FOUND: Findings = {
  ...{ frames: "", firstAndLast: "", seconds: "", offsets: "", bars: "", letters: "", roundness: "" },
  problems: [],
};

/** Each problem is a sentence. */
export type Check = (
  expected: Expected,
  measured: Measured,
  mode: Mode,
) => { figures: Partial<Findings>; problems: string[] };

export const MAX_FRAMES_PER_SECOND = 60;

export function problemIf(isProblem: boolean, sentence: string): string[] {
  return isProblem ? [sentence] : [];
}

export function milliseconds(seconds: number): string {
  return (seconds * 1_000).toFixed(1);
}
