import { expect, test } from "vitest";
import { EMPTY_FORM, readForm } from "../draft/job-form.ts";
import { arrivedRows, fieldsOfRows, rowsOfForm } from "./rows-of-form.ts";

const [A, B] = ["a", "b"].map((id) => `https://drive.google.com/file/d/${id}/view`) as [string, string];

test("rows come back from the form in its order, with lines that cannot be used", () => {
  const first = { link: A, settings: { custom_captions: ["One"] }, pass: { sku: "1" } };
  const second = { link: A, name: "second" };
  const fields = fieldsOfRows([first, second, { link: B }]);
  expect(fields.videoLinks).toBe([A, A, B].join("\n"));
  const read = readForm({ ...EMPTY_FORM, ...fields, videoLinks: ["nonsense", B, A, A].join("\n") });
  expect(rowsOfForm(read)).toEqual([{ link: "nonsense" }, { link: B }, first, second]);
});

test("a link is written as the field reads it", () => {
  const { videoLinks, rows } = fieldsOfRows([{ link: " drive.google.com/file/d/a,b/view", name: "n" }]);
  expect(videoLinks).toBe("https://drive.google.com/file/d/a%2Cb/view");
  expect(JSON.parse(rows)).toEqual([{ link: videoLinks, name: "n" }]);
  expect(readForm({ ...EMPTY_FORM, videoLinks: A, rows: "not JSON" }).rows).toEqual([]);
});

test("links that arrived after the table was opened are found among its own", () => {
  const before = `${A},\ndrive.google.com/file/d/b/view`;
  const read = readForm({
    ...EMPTY_FORM,
    ...fieldsOfRows([{ link: A, name: "first" }]),
    videoLinks: `${A}\n${B}\n${A}c`,
  });
  expect(arrivedRows(read, before)).toEqual([{ link: `${A}c` }]);
  expect(arrivedRows(read, "")).toEqual(rowsOfForm(read));
});
