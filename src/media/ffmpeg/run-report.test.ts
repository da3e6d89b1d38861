import { expect, test } from "vitest";
import { createReportReader } from "./run-report.ts";

// as written by ffmpeg 7
const SUMMARY = `[Parsed_ebur128_0 @ 0x55f8] [info] Summary:

  Integrated loudness:
    I:         -11.4 LUFS
    Threshold: -21.4 LUFS

  Loudness range:
    LRA:         2.3 LU
    Threshold: -31.4 LUFS
    LRA low:   -12.6 LUFS
    LRA high:  -10.4 LUFS

  True peak:
    Peak:       -1.5 dBFS
`;
const SILENT_SUMMARY = SUMMARY.replace("-11.4", "-70.0").replace("-1.5", "-inf");

function loudnessIn(...chunks: string[]) {
  const reader = createReportReader();
  for (const chunk of chunks) reader.read(chunk);
  return reader.report().loudness;
}

test("reads loudness and true peak from the summary of a measuring run", () => {
  expect(loudnessIn(SUMMARY.slice(0, 60), SUMMARY.slice(60))).toEqual({ integratedLufs: -11.4, truePeakDb: -1.5 });
  expect(loudnessIn(SILENT_SUMMARY)).toEqual({ integratedLufs: -70, truePeakDb: Number.NEGATIVE_INFINITY });
});

test("reads a summary that another thread's line interrupts", () => {
  const interrupted = SUMMARY.replace(
    "dBFS\n",
    "dBFSEncoder thread received EOF\n[Parsed_ebur128_0 @ 0x55f8] [info] \n",
  );
  expect(loudnessIn(interrupted)).toEqual({ integratedLufs: -11.4, truePeakDb: -1.5 });
});

test("has no loudness of a run that measures none", () => {
  expect(loudnessIn("[out#0/mp4 @ 0x1] [verbose] All streams finished\n")).toBeNull();
});

/** By ffmpeg 5.1. */
const OLD_REPORT = `[error] Error while decoding stream #0:1: Invalid data found when processing input
[warning] file:a.mp4: corrupt decoded frame in stream 0
[error] Error while decoding stream #0:1: Invalid data found when processing input
[verbose]   Input stream #0:0 (video): 50 packets read (9402 bytes); 50 frames decoded; 
[verbose]   Input stream #0:1 (audio): 88 packets read (17620 bytes); 86 frames decoded (88064 samples); 
[verbose]   Output stream #0:0 (video): 50 frames encoded; 50 packets muxed (7388 bytes); 
`;

test("counts what ffmpeg 6.0 and older log one by one: decoding errors and corrupt frames", () => {
  const reader = createReportReader();
  reader.read(OLD_REPORT);
  const { decoded, written } = reader.report();
  expect(decoded).toEqual([
    { input: 0, stream: 0, packets: 50, frames: 50, errors: 0, samples: 0, corruptFrames: 1 },
    { input: 0, stream: 1, packets: 88, frames: 86, errors: 2, samples: 88_064, corruptFrames: 0 },
  ]);
  expect(written.get("0:0")).toBe(50);
});
