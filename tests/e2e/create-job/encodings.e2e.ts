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
  const isLong = ["shift_jis", "gb18030", "big5", "euc-kr", "euc-jp"].includes(encoding);
  for (let first = 0; first < 256; first++) {
    read(first);
    for (let second = 0; isLong && first > 0x7f && second < 256; second++) read(first, second);
  }
  for (let second = 0xa0; encoding === "euc-jp" && second < 256; second++) {
    for (let third = 0xa0; third < 256; third++) read(0x8f, second, third);
  }
  for (let third = 0x81; encoding === "gb18030" && third < 255; third++) {
    for (let fourth = 0x30; fourth < 0x3a; fourth++) read(0x81, 0x30 + (third % 10), third, fourth);
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
