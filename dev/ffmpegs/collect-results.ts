/** A vitest reporter that appends a line of JSON for each test to the file in FFMPEG_RESULTS. */
import { appendFileSync } from "node:fs";
import path from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";

export type TestLine = { file: string; title: string; state: string; note: string };

export default class CollectResults implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const result = test.result();
    const note = result.state === "skipped" ? result.note : result.errors?.[0]?.message;
    add({ file: nameOf(test.module), title: test.fullName, state: result.state, note: note?.split("\n", 1)[0] ?? "" });
  }

  /** Reports a file that fails outside its tests, for example while it is loaded. */
  onTestModuleEnd(module: TestModule): void {
    for (const { message } of module.errors())
      add({ file: nameOf(module), title: "(the file)", state: "failed", note: message.split("\n", 1)[0]! });
  }
}

function nameOf(module: TestModule): string {
  return path.relative(process.cwd(), module.moduleId);
}

function add(line: TestLine): void {
  appendFileSync(process.env["FFMPEG_RESULTS"]!, `${JSON.stringify(line)}\n`);
}
