import { expect, test } from "vitest";
import { createProgressReader } from "./progress.ts";

// as written by ffmpeg 7
const FIRST = `frame=0
fps=0.00
stream_0_0_q=0.0
bitrate=N/A
total_size=48
out_time_us=N/A
out_time_ms=N/A
out_time=N/A
dup_frames=0
drop_frames=0
speed=N/A
progress=continue
`;
const NEGATIVE = FIRST.replaceAll("N/A", "-66667");
const LAST = `frame=60
fps=59.31
stream_0_0_q=-1.0
bitrate= 842.1kbits/s
total_size=210524
out_time_us=1966667
out_time_ms=1966667
out_time=00:00:01.966667
dup_frames=0
drop_frames=0
speed=1.94x
progress=end
`;

test("reads the seconds written from each report", () => {
  const read = createProgressReader();
  expect(read(FIRST + LAST)).toEqual([
    { outSeconds: null, mark: "0 N/A 48" },
    { outSeconds: 1.966667, mark: "60 1966667 210524" },
  ]);
});

test("waits for the rest of a report that arrives in pieces", () => {
  const read = createProgressReader();
  expect(read(LAST.slice(0, 100))).toEqual([]);
  expect(read(LAST.slice(100))).toHaveLength(1);
});

test("ignores negative times, which ffmpeg reports at the start", () => {
  expect(createProgressReader()(NEGATIVE)[0]?.outSeconds).toBeNull();
});
