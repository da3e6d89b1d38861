import { describe, expect, it } from "vitest";
import { fillPattern, patternProblem } from "./output-name.ts";

const VALUES = {
  name: "harbor",
  source: "IMG_0042",
  position: "007",
  variant: "2",
  segment: "01",
  caption: " Summer\nsale 👩‍👩‍👧 today ",
  track: "Waves",
  job: "Spring drop",
  format: "9x16",
  language: "pt-BR",
  row: { sku: "A-1", "size: EU": "42" },
};

describe("a name pattern", () => {
  it.each([
    ["{row.sku}-{variant}-{caption:20}", "A-1-2-Summer\nsale 👩‍👩‍👧 today"],
    ["{caption:13}", "Summer\nsale 👩‍👩‍👧"],
    ["{caption:7}", "Summer"],
    ["{row.size: EU} {row.size: EU:1}", "42 4"],
    ["{{{name}}} {{name}}", "{harbor} {name}"],
    ["{ name }_{position}_{segment}_{format}", "harbor_007_01_9x16"],
    ["{name}-{language}", "harbor-pt-BR"],
    ["{row.other}{track}", "Waves"],
    ["plain", "plain"],
  ])("%j gives %j", (pattern, name) => {
    expect(patternProblem(pattern, () => true)).toBeNull();
    expect(fillPattern(pattern, VALUES)).toBe(name);
  });

  it.each([
    ["{name", 'A "{" in the name pattern has no "}"; write "{{" for a brace'],
    ["name}", 'A "}" in the name pattern has no "{"; write "}}" for a brace'],
    [
      "{sku}",
      expect.stringMatching(/^The name pattern can't use "\{sku\}"; use \{row\.column\}, \{name\}, .*\{language\}$/),
    ],
    ["{}", expect.stringContaining(`can't use "{}"`)],
    ["{caption:x}", expect.stringContaining(`can't use "{caption:x}"`)],
    ["{caption:0}", '"{caption:0}" in the name pattern must have a length from 1 to 120'],
    ["{caption:121}", '"{caption:121}" in the name pattern must have a length from 1 to 120'],
    ["{row.colour}", 'The name pattern uses the column "colour", which no row has'],
    ["{toString}", expect.stringContaining(`can't use "{toString}"`)],
  ])("%j is rejected in one sentence", (pattern, problem) => {
    expect(patternProblem(pattern, (column) => column === "sku")).toEqual(problem);
  });
});
