import { expect, it } from "vitest";
import type { LibraryFile } from "#contract/calls.ts";
import { insertInOrder } from "./insert-in-order.ts";
import type { Upload } from "./upload-store.ts";

/** Uploads in the order in which they were chosen; those in upper case are not finished. */
function uploadsOf(names: string): { uploads: Upload[] } {
  const uploads = names.split("").map((name, id): Upload => {
    const file = { link: name } as LibraryFile;
    const state: Upload["state"] = name === name.toLowerCase() ? { kind: "done", file } : { kind: "waiting" };
    return { id, file: { name, size: 1 }, use: "video", state, content: null, resumableId: null, note: null };
  });
  return { uploads };
}

const insert = (listed: string, added: string, uploads: string) =>
  insertInOrder(listed.split(""), added.split(""), uploadsOf(uploads), "video").join("");

it.each([
  ["a later one first", "c", "a", "aBc", "ac"],
  ["between two others", "ac", "b", "abc", "abc"],
  ["behind the nearest, where the operator moved it", "cxa", "b", "abC", "cxab"],
  ["in front of the next if those before it were removed", "xc", "b", "abc", "xbc"],
  ["several at once", "xc", "dab", "abcd", "xabcd"],
  ["not twice", "ab", "b", "ab", "ab"],
  ["other links at the end", "b", "y", "ab", "by"],
])("adds %s", (_title, listed, added, uploads, expected) => {
  expect(insert(listed, added, uploads)).toBe(expected);
});
