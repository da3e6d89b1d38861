import { runTestFfmpeg } from "./media-tools.ts";

/** A speech-like sound: buzzing syllables with a pause after every few. */
const SPEECH_LIKE =
  "0.4*(sin(2*PI*140*t)+0.5*sin(2*PI*280*t)+0.3*sin(2*PI*420*t))*gt(mod(t\\,0.28)\\,0.11)*lt(mod(t\\,1.7)\\,1.3)";

/** Writes a clip of solid colors with hard cuts. Silent unless `speaks`. */
export async function makeScenes(
  path: string,
  scenes: { colors: string[]; secondsEach: number; width?: number; height?: number; speaks?: boolean },
): Promise<void> {
  const { colors, secondsEach, width = 180, height = 320, speaks = false } = scenes;
  const seconds = colors.length * secondsEach;
  const parts = colors.map((color, i) => `color=c=${color}:s=${width}x${height}:r=30:d=${secondsEach}[c${i}]`);
  const picture = `${parts.join(";")};${colors.map((_, i) => `[c${i}]`).join("")}concat=n=${colors.length}`;
  await runTestFfmpeg([
    ...["-f", "lavfi", "-i", picture],
    ...(speaks ? ["-f", "lavfi", "-i", `aevalsrc=exprs=${SPEECH_LIKE}:s=48000:d=${seconds}`, "-c:a", "aac"] : []),
    ...["-t", String(seconds), "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", path],
  ]);
}
