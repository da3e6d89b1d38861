import { describe, expect, it } from "vitest";
import { utf8Bytes } from "../../storable-text.ts";
import { type NamedOutput, nameOutput } from "./output-name.ts";

const JOB: NamedOutput["job"] = {
  ...{
    job_name: "Drop",
    total_videos: 3,
    format: "9:16",
    formats: [],
    languages: [],
    subtitle_languages: [],
    subtitles_enabled: false,
    segmentation_type: null,
    name_pattern: null,
  },
};
const OUTPUT: NamedOutput = {
  job: JOB,
  video: { position: 1, row_name: null, row_pass: { sku: "A/1" } },
  source: "harbor",
  variant: 0,
  segment: 0,
  caption: "Sale",
  track: null,
};

function named(pattern: string | null, differences: Partial<NamedOutput> = {}, job: Partial<NamedOutput["job"]> = {}) {
  return nameOutput({ ...OUTPUT, ...differences, job: { ...JOB, ...job, name_pattern: pattern } });
}

describe("an output's name", () => {
  it("is its place and the row's or the source's name without a pattern", () => {
    expect(named(null).name).toBe("002-v1-harbor.mp4");
    const video = { position: 9_998, row_name: "my row", row_pass: null };
    const job = { total_videos: 10_000, segmentation_type: "multiple" };
    expect(named(null, { video, variant: 1, segment: 2 }, job).name).toBe("09999-v2-s03-my row.mp4");
  });

  it("has its format if the job has several", () => {
    const formats: NamedOutput["job"]["formats"] = ["9:16", "1:1"];
    const names = [0, 1, 2].map((variant) => named(null, { variant }, { formats }).name);
    expect(names).toEqual(["002-v1-9x16-harbor.mp4", "002-v2-1x1-harbor.mp4", "002-v3-9x16-harbor.mp4"]);
    expect(named("{row.sku} {format}", { variant: 1 }, { formats }).name).toBe("A_1 1x1.mp4");
  });

  it("has its language if the job has several, before its format", () => {
    const job: Partial<NamedOutput["job"]> = { languages: ["de", "zh-Hant"], formats: ["9:16", "1:1"] };
    const names = [0, 1, 2, 3, 4].map((variant) => named("{variant} {language} {format}", { variant }, job));
    expect(names.map(({ name }) => name)).toEqual([
      "1 de 9x16.mp4",
      "2 de 1x1.mp4",
      "3 zh-Hant 9x16.mp4",
      "4 zh-Hant 1x1.mp4",
      "5 de 9x16.mp4",
    ]);
    expect(named(null, { variant: 2 }, job).name).toBe("002-v3-zh-Hant-9x16-harbor.mp4");
    expect(named("{name}{language}", {}, { languages: ["de"] }).name).toBe("harborde.mp4");
  });

  it("follows the pattern, is a valid file name, and always ends with .mp4 once", () => {
    expect(named("{row.sku}-{caption}")).toEqual({ name: "A_1-Sale.mp4", nameIfTaken: "A_1-Sale-002-v1.mp4" });
    expect(named("{name}.MP4.mp4").name).toBe("harbor.mp4");
    expect(named("../{format}").name).toBe("_9x16.mp4");
    expect(named("con").name).toBe("_con.mp4");
    expect(named("{name}.mov").name).toBe("harbor.mov.mp4");
  });

  it("is as without a pattern where the pattern leaves nothing", () => {
    expect(named("{track}")).toEqual({ name: "002-v1-harbor.mp4", nameIfTaken: "002-v1-harbor.mp4" });
    expect(named(" ... {track}").name).toBe("002-v1-harbor.mp4");
  });

  it("keeps the place when it is too long", () => {
    const long = named("{caption}", { caption: "👩‍👩‍👧".repeat(50) });
    expect(long.name).toMatch(/^👩‍👩‍👧.*👩‍👩‍👧\.mp4$/u);
    expect(long.nameIfTaken).toMatch(/^👩‍👩‍👧.*👩‍👩‍👧-002-v1\.mp4$/u);
    for (const name of [long.name, long.nameIfTaken]) expect(utf8Bytes([name])).toBeLessThanOrEqual(120);
  });
});
