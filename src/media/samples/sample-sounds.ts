const NOTE_SECONDS = 0.25;

/** In Hz: A minor, F, C and G, eight notes each: 8 seconds that lead back to the start. */
const CHORDS = [
  [220, 329.63, 440, 523.25],
  [174.61, 261.63, 349.23, 440],
  [261.63, 329.63, 392, 523.25],
  [196, 293.66, 392, 493.88],
];
const ORDER = [0, 1, 2, 3, 2, 1, 2, 3];

export function padExpression(frequencies: number[]): string {
  const chord = frequencies.map((hz) => `sin(2*PI*${hz}*t)`).join("+");
  return `0.06*(0.7+0.3*sin(2*PI*t/3))*(${chord})`;
}

/** A soft arpeggio. Each note ends in silence, so the loop does not click. */
export function arpeggioExpression(): string {
  const notes = CHORDS.flatMap((chord) => ORDER.map((i) => chord[i] ?? 0));
  const since = `mod(t,${NOTE_SECONDS})`;
  const swell = `(1-exp(-120*${since}))*pow(1-${since}/${NOTE_SECONDS},1.5)`;
  const roots = CHORDS.map((chord) => (chord[0] ?? 0) / 2);
  const pad = `0.12*sin(PI*mod(t,2)/2)*sin(2*PI*t*${choose(roots, 2, 0)})`;
  return `0.3*${swell}*(sin(2*PI*t*st(0,${choose(notes, NOTE_SECONDS, 0)}))+0.25*sin(4*PI*t*ld(0)))+${pad}`;
}

/** A tree of ifs, of which ffmpeg evaluates one branch. */
function choose(values: number[], stepSeconds: number, fromStep: number): string {
  if (values.length === 1) return String(values[0]);
  const half = values.length / 2;
  const middle = (fromStep + half) * stepSeconds;
  const before = choose(values.slice(0, half), stepSeconds, fromStep);
  return `if(lt(t,${middle}),${before},${choose(values.slice(half), stepSeconds, fromStep + half)})`;
}
