/** Measures integrated loudness by ITU-R BS.1770-4 and EBU R 128, at 48 kHz. */

export const METER_HZ = 48_000;

/** Filters of BS.1770-4, tables 1 and 2: head effect and high-pass. */
const HEAD = { b0: 1.535_124_859_586_97, b1: -2.691_696_189_406_38, b2: 1.198_392_810_852_85 };
const HEAD_FEEDBACK = { a1: -1.690_659_293_182_41, a2: 0.732_480_774_215_85 };
const HIGH_PASS_FEEDBACK = { a1: -1.990_047_454_833_98, a2: 0.990_072_250_366_21 };

/** A block is 400 ms long; one starts every 100 ms. */
const STEP_SAMPLES = METER_HZ / 10;
const STEPS_PER_BLOCK = 4;
const ABSOLUTE_GATE_LUFS = -70;
const RELATIVE_GATE_LU = -10;

export type LoudnessMeter = {
  /** Samples from -1 to 1, one array per channel (mono or stereo). */
  add(channels: readonly Float32Array[]): void;
  /** In LUFS; null for silence and sounds shorter than 0.4 s. */
  integratedLufs(): number | null;
  /** Largest sample in dBFS; -Infinity for silence. */
  peakDb(): number;
};

export function createLoudnessMeter(): LoudnessMeter {
  const weightings: Weighting[] = [];
  const steps: number[] = [];
  let energy = 0;
  let samplesInStep = 0;
  let peak = 0;
  return {
    add(channels) {
      const length = channels[0]?.length ?? 0;
      for (let from = 0; from < length;) {
        const to = Math.min(length, from + STEP_SAMPLES - samplesInStep);
        for (const [c, samples] of channels.entries()) {
          const found = (weightings[c] ??= createWeighting())(samples, from, to);
          energy += found.energy;
          peak = Math.max(peak, found.peak);
        }
        samplesInStep += to - from;
        from = to;
        if (samplesInStep < STEP_SAMPLES) continue;
        steps.push(energy / STEP_SAMPLES);
        energy = 0;
        samplesInStep = 0;
      }
    },
    integratedLufs() {
      const blocks = blocksOf(steps).filter((block) => lufsOf(block) > ABSOLUTE_GATE_LUFS);
      if (blocks.length === 0) return null;
      const gate = lufsOf(meanOf(blocks)) + RELATIVE_GATE_LU;
      return lufsOf(meanOf(blocks.filter((block) => lufsOf(block) > gate)));
    },
    peakDb: () => 20 * Math.log10(peak),
  };
}

/** `energy` is weighted; `peak` is not. */
type Weighting = (samples: Float32Array, from: number, to: number) => { energy: number; peak: number };

/** Filters one channel. Runs millions of times, hence local variables only. */
function createWeighting(): Weighting {
  const { b0, b1, b2 } = HEAD;
  const { a1, a2 } = HEAD_FEEDBACK;
  const { a1: c1, a2: c2 } = HIGH_PASS_FEEDBACK;
  const memory = new Float64Array(4);
  return (samples, from, to) => {
    let [head1, head2, pass1, pass2] = memory as unknown as [number, number, number, number];
    let energy = 0;
    let peak = 0;
    for (let i = from; i < to; i += 1) {
      const sample = samples[i]!;
      const size = Math.abs(sample);
      if (size > peak) peak = size;
      const head = b0 * sample + head1;
      head1 = b1 * sample - a1 * head + head2;
      head2 = b2 * sample - a2 * head;
      const pass = head + pass1;
      pass1 = -2 * head - c1 * pass + pass2;
      pass2 = head - c2 * pass;
      energy += pass * pass;
    }
    memory.set([head1, head2, pass1, pass2]);
    return { energy, peak };
  };
}

function blocksOf(steps: readonly number[]): number[] {
  const blocks: number[] = [];
  for (let i = 0; i + STEPS_PER_BLOCK <= steps.length; i += 1) blocks.push(meanOf(steps.slice(i, i + STEPS_PER_BLOCK)));
  return blocks;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function lufsOf(energy: number): number {
  return -0.691 + 10 * Math.log10(energy);
}
