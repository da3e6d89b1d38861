import { expect } from "@playwright/test";
import { build, type Rolldown } from "vite";
import { decodeBytes } from "#contract/table/encoding/decode-bytes.ts";
import { TABLE_ENCODINGS, type TableEncoding } from "#contract/table/encoding/table-encodings.ts";
import { test } from "#tests/support/browser/browser-test.ts";

type Decode = typeof decodeBytes;

/** Decodes every byte, and in encodings of several bytes every pair and samples of three and four. */
function decodeAll(decode: Decode, encoding: TableEncoding): string {
  const texts: string[] = [];
  const read = (...bytes: number[]) => texts.push(decode(new Uint8Array(bytes), encoding) ?? "-");
  const all = Array.from({ length: 256 }, (_, byte) => byte);
  const high = all.slice(0x80);
  for (const first of all) read(first);
  if (["shift_jis", "gb18030", "big5", "euc-kr", "euc-jp"].includes(encoding)) {
    for (const first of high) for (const second of all) read(first, second);
  }
  if (encoding === "euc-jp") for (const second of high) for (const third of high) read(0x8f, second, third);
  if (encoding === "gb18030") {
    for (const third of high)
      for (const fourth of all.slice(0x30, 0x3a)) read(0x81, 0x30 + (third % 10), third, fourth);
  }
  return texts.join("\n");
}

test("browsers and Node decode every byte of every encoding alike", async ({ page }) => {
  const built = (await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      minify: false,
      lib: { entry: "src/contract/table/encoding/decode-bytes.ts", formats: ["iife"], name: "decoding" },
    },
  })) as Rolldown.RolldownOutput[];
  await page.addScriptTag({
    content: `${built[0]!.output[0].code}\nglobalThis.run = (name) => (${decodeAll.toString()})(decoding.decodeBytes, name);`,
  });
  const different: string[] = [];
  for (const encoding of Object.keys(TABLE_ENCODINGS) as TableEncoding[]) {
    const inBrowser = await page.evaluate(
      (name) => (globalThis as unknown as { run: (name: string) => string }).run(name),
      encoding,
    );
    if (inBrowser !== decodeAll(decodeBytes, encoding)) different.push(encoding);
  }
  expect(different).toEqual([]);
});
