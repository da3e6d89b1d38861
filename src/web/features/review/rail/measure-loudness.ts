import { createLoudnessMeter, METER_HZ } from "./loudness-meter.ts";

/** `integratedLufs` is null for silence; `peakDb` is the largest sample in dBFS. */
export type MeasuredLoudness = { integratedLufs: number | null; peakDb: number };

/** Samples between pauses that keep the page responsive. */
const CHUNK_SAMPLES = METER_HZ * 4;
/** Decoded sound takes 23 MB per minute. */
export const MAX_MEASURED_SECONDS = 300;

/**
 * Measures in the browser, so that files of any age and origin have a figure. Null without sound. Throws if the file
 * cannot be read or decoded.
 */
export async function measureLoudness(url: string, signal: AbortSignal): Promise<MeasuredLoudness | null> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`The file's address returned ${response.status}.`);
  const file = await response.arrayBuffer();
  const sound = await decode(file);
  if (sound === null) return null;
  const meter = createLoudnessMeter();
  const channels = Array.from({ length: Math.min(2, sound.numberOfChannels) }, (_, c) => sound.getChannelData(c));
  for (let start = 0; start < sound.length; start += CHUNK_SAMPLES) {
    signal.throwIfAborted();
    meter.add(channels.map((channel) => channel.subarray(start, start + CHUNK_SAMPLES)));
    await new Promise((resolve) => setTimeout(resolve));
  }
  return { integratedLufs: meter.integratedLufs(), peakDb: meter.peakDb() };
}

/** A file has a sound track only if its source or music has; without one, decoding fails. */
async function decode(file: ArrayBuffer): Promise<AudioBuffer | null> {
  const hasSound = new TextDecoder("latin1").decode(new Uint8Array(file)).includes("soun");
  return hasSound ? new OfflineAudioContext(2, 1, METER_HZ).decodeAudioData(file) : null;
}
