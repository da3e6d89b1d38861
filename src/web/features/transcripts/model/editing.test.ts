import * as fc from "fast-check";
import { expect, test } from "vitest";
import { testLines, textsOf } from "../test-lines.ts";
import { changesOf, showsChange } from "./changes.ts";
import { type Change, joinLines, type Place, retypeWord, splitLine, toggleWord } from "./commands.ts";
import { type Editing, makeChange, openDraft, redo, startEditing, takeLines, takeSaved, undo } from "./editing.ts";
import { applyPatches, type Lines } from "./patches.ts";
import { clampPlace } from "./word-at.ts";

const START = testLines("we met at the mill", "and saw (um) it", "turn", "all day long");
const HERE = { line: 0, word: 0 };

const command = fc.tuple(
  fc.constantFrom("retype", "split", "join", "toggle", "undo", "redo"),
  fc.nat(5),
  fc.nat(4),
  fc.constantFrom("", "word", "two words", "mill"),
);
type Command = typeof command extends fc.Arbitrary<infer One> ? One : never;

function run(editing: Editing, [name, line, word, text]: Command): Editing {
  const place = clampPlace(editing.lines, { line, word });
  if (name === "undo") return undo(editing)?.editing ?? editing;
  if (name === "redo") return redo(editing)?.editing ?? editing;
  return edit(editing, place, (lines, at) => {
    if (name === "retype") return retypeWord(lines, at, text);
    if (name === "split") return splitLine(lines, at);
    return name === "join" ? joinLines(lines, at) : toggleWord(lines, at);
  });
}

function edit(editing: Editing, place: Place, change: (lines: Lines, place: Place) => Change | null): Editing {
  const made = change(editing.lines, place);
  return made ? makeChange(editing, made, place) : editing;
}

const retype = (editing: Editing, line: number, word: number, text: string) =>
  edit(editing, { line, word }, (lines, place) => retypeWord(lines, place, text));

/** As stored in the browser. */
const stored = ({ revision, unsaved, done, undone }: Editing) =>
  JSON.parse(JSON.stringify({ revision, unsaved, done, undone })) as Omit<Editing, "lines">;

test("after any edits, undo leads back to the start and redo forward again, even through a reload", () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 30 }), fc.nat(30), (commands, reloadAfter) => {
      let editing = startEditing({ lines: START, revision: 3 });
      for (const [i, one] of commands.entries()) {
        if (i === reloadAfter) editing = openDraft({ lines: START, revision: 3 }, stored(editing)).editing;
        editing = run(editing, one);
      }
      const end = editing.lines;
      let back = openDraft({ lines: START, revision: 3 }, stored(editing)).editing;
      expect(back.lines).toEqual(end);
      const steps = back.done.length;
      while (back.done.length > 0) back = undo(back)!.editing;
      expect(back.lines).toEqual(START);
      for (let i = 0; i < steps; i++) back = redo(back)!.editing;
      expect(back.lines).toEqual(end);
    }),
  );
});

test("a draft of an older revision is merged like open edits, even if someone else deleted all lines", () => {
  const others = fc.constantFrom<Lines>([], START.slice(1), START.slice(0, 1), testLines("new", "we met at the mill"));
  fc.assert(
    fc.property(fc.array(command, { maxLength: 12 }), others, (commands, lines) => {
      const editing = commands.reduce(run, startEditing({ lines: START, revision: 3 }));
      const merged = takeSaved(editing, { lines, revision: 4 });
      const opened = openDraft({ lines, revision: 4 }, stored(editing));
      expect(opened.theirs).toEqual(merged.theirs);
      expect(opened.editing).toMatchObject({ revision: 4, lines: merged.editing.lines });
      for (const { editing } of [merged, opened]) {
        expect(applyPatches(lines, editing.unsaved)).toEqual(editing.lines);
        let back = editing;
        while (back.done.length > 0) back = undo(back)!.editing;
      }
    }),
  );
});

test("edits made during a save stay unsaved, and undo leads through the save", () => {
  const sent = retype(startEditing({ lines: START, revision: 0 }), 0, 0, "We");
  const more = retype(sent, 2, 0, "Turn");
  const { editing, theirs } = takeSaved(more, { lines: sent.lines, revision: 1 }, sent.lines);
  expect(theirs).toBeNull();
  expect(editing).toMatchObject({ revision: 1, lines: more.lines });
  expect(editing.unsaved).toHaveLength(1);
  expect(undo(undo(editing)!.editing)!.editing.lines).toEqual(START);
});

test("edits of other lines are merged, and undo reverts only your own", () => {
  const mine = retype(retype(startEditing({ lines: START, revision: 0 }), 3, 2, "long!"), 1, 0, "And");
  const other = retype(startEditing({ lines: START, revision: 0 }), 0, 4, "old mill").lines;
  const { editing, theirs } = takeSaved(mine, { lines: [testLines("new")[0]!, ...other], revision: 4 });
  expect(theirs).toBeNull();
  expect(textsOf(editing.lines)).toEqual(["new", "we met at the old mill", "And saw (um) it", "turn", "all day long!"]);
  expect(textsOf(undo(undo(editing)!.editing)!.editing.lines).slice(2)).toEqual([
    "and saw (um) it",
    "turn",
    "all day long",
  ]);
});

test("a save whose response was lost is not a conflict", () => {
  const mine = retype(startEditing({ lines: START, revision: 0 }), 0, 0, "We");
  const more = retype(retype(mine, 2, 0, ""), 0, 1, "meet");
  expect(openDraft({ lines: mine.lines, revision: 1 }, stored(mine))).toMatchObject({
    ...{ theirs: null, editing: { unsaved: [], revision: 1 } },
  });
  const opened = openDraft({ lines: mine.lines, revision: 1 }, stored(more));
  expect(opened.theirs).toBeNull();
  expect(opened.editing.lines).toEqual(more.lines);
  expect(openDraft({ lines: more.lines, revision: 1 }, stored(more))).toMatchObject({
    ...{ theirs: null, editing: { unsaved: [], lines: more.lines } },
  });
});

test("if the same line was changed, your version is kept, and undo brings theirs", () => {
  const mine = retype(retype(startEditing({ lines: START, revision: 0 }), 0, 0, "We"), 3, 0, "All");
  const other = retype(startEditing({ lines: START, revision: 0 }), 0, 0, "They").lines;
  for (const merged of [
    takeSaved(mine, { lines: other, revision: 7 }),
    openDraft({ lines: other, revision: 7 }, stored(mine)),
  ]) {
    const [ours, theirs] = [textsOf(merged.editing.lines), textsOf(merged.theirs!)];
    expect(ours).toEqual(["We met at the mill", "and saw (um) it", "turn", "All day long"]);
    expect(theirs).toEqual(["They met at the mill", "and saw (um) it", "turn", "All day long"]);
    const taken = takeLines(merged.editing, merged.theirs!, HERE);
    expect(textsOf(taken.lines)).toEqual(theirs);
    expect(textsOf(undo(taken)!.editing.lines)).toEqual(ours);
    expect(textsOf(undo(merged.editing)!.editing.lines)).toEqual(theirs);
  }
});

const part = (start_seconds: number | null, end_seconds: number | null) => ({ start_seconds, end_seconds });

test("counts the words and lines that differ after all edits, and when they are shown", () => {
  const start = startEditing({ lines: START, revision: 0 });
  const changed = retype(retype(start, 0, 4, "old mill"), 0, 0, "We");
  expect(changesOf(changed)).toMatchObject({ words: 3, lines: 1 });
  expect(changesOf(edit(start, { line: 3, word: 1 }, splitLine))).toMatchObject({ words: 0, lines: 2 });
  expect(changesOf(retype(retype(start, 2, 0, "Turn"), 2, 0, "turn"))).toEqual({ words: 0, lines: 0, spans: [] });
  expect(showsChange(changesOf(changed), part(0, 3))).toBe(true);
  expect(showsChange(changesOf(changed), part(5, 20))).toBe(false);
  expect(showsChange(changesOf(changed), part(null, null))).toBe(true);
});
