import { describe, expect, it } from "vitest";
import { problemOfJobName, fillJobName } from "./job-name-pattern.ts";

const VALUES = { folder: "Camera", file: "beach.day.mp4", count: 3, now: new Date("2026-11-23T14:05:59Z") };

describe("names of jobs", () => {
  it.each([
    ["{folder} {date} {time}", "Camera 2026-11-23 14:05"],
    ["{file} of {count}", "beach.day of 3"],
    ["{ {unknown} }", "{ {unknown} }"],
    [" {file}\n", "beach.day"],
  ])("are filled in: %j", (pattern, name) => {
    expect(fillJobName(pattern, VALUES)).toBe(name);
  });

  it("are cut, whole, and never empty", () => {
    expect(fillJobName("{file}", { ...VALUES, file: "🌊".repeat(150) })).toHaveLength(200);
    expect(fillJobName("{file}", { ...VALUES, file: "\u0007" })).toBe("Camera");
  });

  it("have only known fields", () => {
    expect(problemOfJobName("{folder} {count}")).toBeNull();
    expect(problemOfJobName("{day}")).toBe("{day} is unknown. Use {folder}, {date}, {time}, {file}, {count}.");
    expect(problemOfJobName("")).toBe("Enter a name for the jobs.");
    expect(problemOfJobName("a".repeat(201))).toMatch(/at most 200/);
  });
});
