import { expect, it } from "vitest";
import { readPastedLinks } from "./pasted-links.ts";

it.each([
  ["https://a.test/1.mp4\n https://a.test/2.mp4?x=1#t", ["https://a.test/1.mp4", "https://a.test/2.mp4?x=1#t"]],
  ["https://a.test/1.mp4,s3://bucket/a.mov", ["https://a.test/1.mp4", "s3://bucket/a.mov"]],
  ['sku\t"https://a.test/1.mp4"\tHello', ["https://a.test/1.mp4"]],
  ["1. https://a.test/1.mp4;https://a.test/My clip.mp4", ["https://a.test/1.mp4", "https://a.test/My clip.mp4"]],
  ["\u200Bdrive.google.com/file/d/a/view", ["https://drive.google.com/file/d/a/view"]],
  ["javascript:alert(1) no link", []],
])("finds the links in %j", (text, links) => expect(readPastedLinks(text)).toEqual(links));
