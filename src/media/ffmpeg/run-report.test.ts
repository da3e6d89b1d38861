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
