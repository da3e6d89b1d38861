import { describe, expect, it } from "vitest";
import { cleanFileName, nameWithoutExtension } from "./clean-name.ts";

describe("cleanFileName", () => {
  it.each([
    ["Summer reel.mp4", "Summer reel.mp4"],
    ["../../etc/passwd", "_.._etc_passwd"],
    ['a\\b:c*d?e"f<g>h|i', "a_b_c_d_e_f_g_h_i"],
    [".hidden", "hidden"],
    ["name. . .", "name"],
    ["  two\t\nlines\u2028 ", "two lines"],
    ["one\uFEFFtwo\u0085three\u2028four\vfive", "one two three four five"],
    ["nul\u0000byte\u007f", "nulbyte"],
    ["gpj.\u202Eexe", "gpj.exe"],
    ["CON", "_CON"],
    ["lpt1 .txt", "_lpt1 .txt"],
    ["COM\u00B9.mp4", "_COM\u00B9.mp4"],
    ["console.mp4", "console.mp4"],
    ["Cafe\u0301", "Caf\u00E9"],
    ["lone \uD83D half", "lone half"],
    ["👩‍👩‍👧 day", "👩‍👩‍👧 day"],
    ["مرحبا", "مرحبا"],
  ])("turns %j into %j", (text, name) => {
    expect(cleanFileName(text, "video")).toBe(name);
  });

  it.each(["", " ", "...", "\u202E\u0000", "."])("falls back when nothing is left of %j", (text) => {
    expect(cleanFileName(text, "video")).toBe("video");
  });

  it("cuts between graphemes, in 120 bytes, and keeps the extension", () => {
    const family = "👩‍👩‍👧";
    const name = cleanFileName(`${family.repeat(40)}.mp4`, "video");
    expect(name).toBe(`${family.repeat(6)}.mp4`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(120);
  });

  it("leaves no trailing dot or space after a cut", () => {
    expect(cleanFileName(`${"a".repeat(119)} . ${"b".repeat(50)}`, "video")).toBe("a".repeat(119));
  });

  it("falls back when a single grapheme is too long", () => {
    expect(cleanFileName(`a${"\u0301\u0300".repeat(200)}`, "video")).toBe("video");
  });

  it("is idempotent", () => {
    for (const text of ["../x", "CON", "é".repeat(200), "_.._a", "a".repeat(118) + " .mp4x"]) {
      const once = cleanFileName(text, "video");
      expect(cleanFileName(once, "video")).toBe(once);
    }
  });
});

describe("nameWithoutExtension", () => {
  it.each([
    ["Summer reel.mp4", "Summer reel"],
    ["A/B test 1/2.mp4", "A/B test 1/2"],
    ["Before/After", "Before/After"],
    ["a.b/c.d.MOV", "a.b/c.d"],
    ["clip.3gp", "clip"],
    ["Take 3.5", "Take 3.5"],
    ["Vol. 2 intro", "Vol. 2 intro"],
    [".mp4", ".mp4"],
    ["two\nlines.mp4", "two\nlines"],
  ])("turns %j into %j", (name, stem) => {
    expect(nameWithoutExtension(name)).toBe(stem);
  });
});
