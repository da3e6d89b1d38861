import { describe, expect, it } from "vitest";
import { containsText, readSentences, readTags, readTexts } from "../dev/checks/spec-coverage.ts";

const taggedTest = (title: string) => `  // spec 4.2.1, 9.1\n  it("${title}", () => {});\n`;

describe("a tag", () => {
  it("belongs to the test below it, whatever its title", () => {
    expect(readTags(taggedTest("keeps five"))).toEqual([{ line: 1, numbers: ["4.2.1", "9.1"], title: "keeps five" }]);
    expect(readTags(taggedTest("a better title"))[0]?.numbers).toEqual(["4.2.1", "9.1"]);
  });

  it("belongs to a test with cases", () => {
    const source = '// spec 5.1\nit.each([\n  ["a", 1],\n])("reads %s", (text) => {});\n';
    expect(readTags(source)).toEqual([{ line: 1, numbers: ["5.1"], title: "reads …" }]);
  });

  it("without a test has no title", () => {
    expect(readTags("// spec 5.1\nconst a = 1;\n")[0]?.title).toBeNull();
  });
});

it("reads the numbered sentences of lists and tables, and the reason for a missing test", () => {
  const document = "- **1.1** One.\n- **1.2** Two.\n  No test: it is a wish.\n| **9.1** | Jobs | 5 |\nplain 1.3\n";
  expect(readSentences(document)).toEqual([
    { number: "1.1", text: "One.", untested: null },
    { number: "1.2", text: "Two.", untested: "it is a wish." },
    { number: "9.1", text: "Jobs: 5", untested: null },
  ]);
});

it("reads texts with their folder and matches only whole texts", () => {
  expect(readTexts("## src/web/\n\n- `Sign In`\n")).toEqual([{ line: 3, folder: "src/web/", text: "Sign In" }]);
  expect(containsText("<b>Sign In</b>", "Sign In")).toBe(true);
  expect(containsText("<b>Sign In now</b>", "Sign In")).toBe(false);
  expect(containsText("`Job ${id.slice(0, 8)}`", "Job …")).toBe(true);
});
