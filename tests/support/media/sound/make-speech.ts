/** Makes recordings of speech whose every phrase has a known place. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { runTestFfmpeg } from "../media-tools.ts";

/** The synthesizer's. */
const RATE = 22_050;
/** The synthesizer writes zeros between phrases. */
const MIN_PAUSE_SAMPLES = RATE / 10;
const WAV_HEADER_BYTES = 44;
const SPEECH_DB = -20;

const TEXTS = {
  en: "Welcome back. Yes. This is the quick brown fox. It jumps over seven lazy dogs.",
  de: "Guten Abend. Ja. Heute zeigen wir drei einfache Rezepte. Zuerst kochen wir Kartoffeln.",
  fr: "Bonjour à tous. Oui. Nous allons visiter une petite ville. Elle se trouve près de la mer.",
} as const;

export type Recording = {
  language: keyof typeof TEXTS;
  /** Each sentence is a phrase. */
  text?: string;
  /** Seconds before each phrase and at the end; repeated. */
  pauses: readonly number[];
  /** Decibels below speech; absent for none. */
  noiseDb?: number;
  musicDb?: number;
  /** Of everything. */
  gainDb?: number;
  /** Leaves silence, noise and music of the same length. */
  isWithoutSpeech?: boolean;
};

export type Phrase = { startSeconds: number; endSeconds: number };

const run = promisify(execFile);
const spoken = new Map<string, Promise<Float32Array[]>>();

function speak(language: keyof typeof TEXTS, text: string = TEXTS[language]): Promise<Float32Array[]> {
  const known = spoken.get(text) ?? synthesize(language, text);
  spoken.set(text, known);
  return known;
}

/** Returns phrases from their first sample to their last. */
async function synthesize(language: keyof typeof TEXTS, text: string): Promise<Float32Array[]> {
  const program = fileURLToPath(import.meta.resolve("text2wav"));
  const args = [program, text, "-v", language, "-s", "150"];
  const { stdout } = await run(process.execPath, args, { encoding: "buffer", maxBuffer: 64 * 1024 ** 2 });
  const bytes = stdout.subarray(WAV_HEADER_BYTES);
  const samples = Float32Array.from({ length: bytes.length >> 1 }, (_, i) => bytes.readInt16LE(2 * i) / 32_768);
  const phrases: Float32Array[] = [];
  let [start, zeros] = [0, 0];
  for (let i = 0; i <= samples.length; i++) {
    if (i < samples.length && samples[i] !== 0) {
      if (zeros >= MIN_PAUSE_SAMPLES) start = i;
      zeros = 0;
      continue;
    }
    zeros += 1;
    if (zeros === MIN_PAUSE_SAMPLES || i === samples.length) {
      const phrase = samples.subarray(start, i - zeros + 1);
      if (phrase.length > 1) phrases.push(atLevel(phrase, SPEECH_DB));
      start = i;
    }
  }
  return phrases;
}

/** Writes a video with the recording's sound, of `picture` (lavfi). Returns where each phrase is. */
export async function makeRecording(
  path: string,
  { language, text, pauses, noiseDb, musicDb, gainDb = 0, isWithoutSpeech = false }: Recording,
  picture = "color=gray:s=32x32:r=10",
): Promise<{ phrases: Phrase[]; seconds: number }> {
  const spokenPhrases = await speak(language, text);
  const pauseSamples = (i: number) => Math.round(pauses[i % pauses.length]! * RATE);
  const places: number[] = [];
  let length = 0;
  for (const [i, phrase] of spokenPhrases.entries()) {
    length += pauseSamples(i);
    places.push(length);
    length += phrase.length;
  }
  length += pauseSamples(spokenPhrases.length);
  const sound = new Float32Array(length);
  for (const [i, phrase] of spokenPhrases.entries()) if (!isWithoutSpeech) sound.set(phrase, places[i]);
  if (noiseDb !== undefined) mixIn(sound, atLevel(pinkNoise(length), SPEECH_DB + noiseDb));
  if (musicDb !== undefined) mixIn(sound, atLevel(music(length), SPEECH_DB + musicDb));
  const gain = 10 ** (gainDb / 20);
  const raw = `${path}.raw`;
  await writeFile(
    raw,
    sound.map((sample) => sample * gain),
  );
  await runTestFfmpeg([
    ...["-f", "f32le", "-ar", String(RATE), "-ac", "1", "-i", raw, "-f", "lavfi", "-i", picture],
    ...["-map", "1:v", "-map", "0:a", "-t", String(length / RATE), "-ar", "48000"],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-crf", "4", "-g", "60", "-pix_fmt", "yuv420p", "-c:a", "aac", path],
  ]);
  const phrases = spokenPhrases.map((phrase, i) => {
    return { startSeconds: places[i]! / RATE, endSeconds: (places[i]! + phrase.length) / RATE };
  });
  return { phrases, seconds: length / RATE };
}

function mixIn(sound: Float32Array, other: Float32Array): void {
  for (const [i, sample] of other.entries()) sound[i]! += sample;
}

function atLevel(sound: Float32Array, db: number): Float32Array {
  const squares = sound.reduce((sum, sample) => sum + sample ** 2, 0);
  const gain = 10 ** (db / 20) / Math.sqrt(squares / sound.length);
  return sound.map((sample) => sample * gain);
}

/** Paul Kellet's filter over white noise of a fixed seed. */
function pinkNoise(length: number): Float32Array {
  let seed = 1;
  let [slow, middle, fast] = [0, 0, 0];
  return Float32Array.from({ length }, () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    const white = seed / 2 ** 31 - 1;
    slow = 0.99765 * slow + white * 0.099046;
    middle = 0.963 * middle + white * 0.2965164;
    fast = 0.57 * fast + white * 1.0526913;
    return slow + middle + fast + white * 0.1848;
  });
}

/** Chords with overtones, a bass line and drums, at 110 beats a minute. */
function music(length: number): Float32Array {
  const beat = (60 / 110) * RATE;
  const noise = pinkNoise(Math.ceil(beat));
  const chords = [
    [220, 261.6, 329.6],
    [174.6, 220, 261.6],
    [261.6, 329.6, 392],
    [196, 246.9, 293.7],
  ];
  return Float32Array.from({ length }, (_, i) => {
    const seconds = i / RATE;
    const chord = chords[Math.floor(i / (4 * beat)) % chords.length]!;
    const inBeat = i % beat;
    const note = (hz: number) =>
      [1, 2, 3, 4].reduce((sum, k) => sum + Math.sin(2 * Math.PI * hz * k * seconds) / k ** 1.5, 0);
    const strings = chord.reduce((sum, hz) => sum + note(hz), 0) * (0.6 + 0.4 * Math.exp(-inBeat / (0.2 * RATE)));
    const bass = 2 * note(chord[0]! / 4);
    const kick = 6 * Math.sin(2 * Math.PI * 55 * (inBeat / RATE)) * Math.exp(-inBeat / (0.06 * RATE));
    const hat = 3 * noise[Math.floor(inBeat)]! * Math.exp(-((i % (beat / 2)) / (0.02 * RATE)));
    return strings + bass + kick + hat;
  });
}
