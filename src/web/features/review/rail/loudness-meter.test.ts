import { expect, test } from "vitest";
import { createLoudnessMeter, METER_HZ } from "./loudness-meter.ts";

/** A 1 kHz tone; `peakDb` in dBFS. */
function tone(seconds: number, peakDb: number): Float32Array {
  const level = 10 ** (peakDb / 20);
  return Float32Array.from(
    { length: METER_HZ * seconds },
    (_, i) => level * Math.sin((2 * Math.PI * 1_000 * i) / METER_HZ),
  );
}

// The first cases of EBU Tech 3341, table 1.
test("measures the reference tones of EBU Tech 3341", () => {
  for (const [peakDb, lufs] of [
    [-23, -23],
    [-33, -33],
  ] as const) {
    const meter = createLoudnessMeter();
    const channel = tone(3, peakDb);
    meter.add([channel, channel]);
    expect(Math.abs(meter.integratedLufs()! - lufs)).toBeLessThan(0.1);
    expect(meter.peakDb()).toBeCloseTo(peakDb, 1);
  }
});

test("leaves out quiet parts, and measures neither silence nor clicks", () => {
  const meter = createLoudnessMeter();
  for (const [seconds, peakDb] of [
    [4, -36],
    [12, -23],
    [4, -36],
  ] as const) {
    const channel = tone(seconds, peakDb);
    meter.add([channel, channel]);
  }
  expect(Math.abs(meter.integratedLufs()! + 23)).toBeLessThan(0.1);
  const silent = createLoudnessMeter();
  silent.add([new Float32Array(METER_HZ)]);
  expect([silent.integratedLufs(), silent.peakDb()]).toEqual([null, -Infinity]);
  const short = createLoudnessMeter();
  short.add([tone(0.3, -20)]);
  expect(short.integratedLufs()).toBeNull();
});
