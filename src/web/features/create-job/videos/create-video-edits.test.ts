import { expect, it } from "vitest";
import type { JobRow } from "#contract/job-settings/job-settings.ts";
import { EMPTY_FORM, type JobForm, readForm } from "../draft/job-form.ts";
import { findRepeats } from "../links/link-report.tsx";
import { createVideoEdits } from "./create-video-edits.ts";
import { readRows, type VideoRow } from "./read-rows.ts";

const [A, B] = ["a", "b"].map((id) => `https://drive.google.com/file/d/${id}/view`) as [string, string];
const row = (link: string, caption: string): JobRow => ({ link, settings: { custom_captions: [caption] } });

function editing(rows: JobRow[]) {
  let form: JobForm = {
    ...EMPTY_FORM,
    videoLinks: rows.map(({ link }) => link).join("\n"),
    rows: JSON.stringify(rows),
  };
  const undo: (() => void)[] = [];
  const values = {
    getValues: (name: keyof JobForm) => form[name],
    setValue: (name: keyof JobForm, value: unknown) => void (form = { ...form, [name]: value }),
  } as unknown as Parameters<typeof createVideoEdits>[0];
  const edits = createVideoEdits(values, ({ action }) => void (action && undo.push(action.onClick)));
  const read = () => readForm(form);
  return {
    edits,
    undo: () => undo.pop()!(),
    listed: (): VideoRow[] => readRows(read().videos, new Map(), [], false, read().rows),
    captions: () => read().rows.map(({ settings }) => settings?.custom_captions?.[0] ?? null),
    duplicates: () => findRepeats(read().videos.entries, read().rows).map(({ index }) => index),
    write: (videoLinks: string) => void (form = { ...form, videoLinks }),
  };
}

it("removes exactly the chosen one of several rows with the same link", () => {
  const { edits, listed, captions, undo } = editing([row(A, "1"), row(B, "2"), row(A, "3"), row(A, "4")]);
  edits.remove([listed()[2]!]);
  expect(captions()).toEqual(["1", "2", "4"]);
  undo();
  expect(captions()).toEqual(["1", "2", "3", "4"]);
});

it("keeps 40 rows of four clips with captions of their own, and removes exactly the duplicates of a row", () => {
  const own = Array.from({ length: 40 }, (_, index) => row(index % 2 === 0 ? A : B, `${index}`));
  expect(editing(own).duplicates()).toEqual([]);
  const { edits, captions, duplicates } = editing([row(A, "1"), row(A, "1"), row(A, "2"), { link: A }, row(A, "2")]);
  const removed = duplicates();
  expect(removed).toEqual([1, 4]);
  edits.keep(
    [0, 1, 2, 3, 4].filter((index) => !removed.includes(index)),
    { title: "", description: "" },
  );
  expect(captions()).toEqual(["1", "2", null]);
});

it("moves rows with the same link with their settings", () => {
  const { edits, listed, captions, undo } = editing([row(A, "1"), row(A, "2"), row(B, "3")]);
  const [first, second, third] = listed().map(({ key }) => key) as [string, string, string];
  edits.reorder([second, third, first]);
  expect(captions()).toEqual(["2", "3", "1"]);
  expect(listed().map(({ key }) => key)).toEqual([second, third, first]);
  edits.sort(listed(), "name");
  undo();
  expect(captions()).toEqual(["2", "3", "1"]);
});

it("keeps the row of a line that was cut until the line is pasted again", () => {
  const { edits, listed, captions, write } = editing([row(A, "1"), row(B, "2"), row(B, "3")]);
  write([B, B].join("\n"));
  edits.reorder(
    listed()
      .map(({ key }) => key)
      .toReversed(),
  );
  write([B, B, A].join("\n"));
  expect(captions()).toEqual(["3", "2", "1"]);
});
