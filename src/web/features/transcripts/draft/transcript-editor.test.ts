import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { WholeTranscript } from "#contract/transcripts/transcripts.ts";
import { memoryStorage } from "#tests/support/memory-storage.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { retypeWord } from "../model/commands.ts";
import { applyPatches, type Lines } from "../model/patches.ts";
import { testLines, textsOf } from "../test-lines.ts";
import { openDraftStore } from "./draft-store.ts";
import { createTranscriptEditor, type TranscriptEditor } from "./transcript-editor.ts";

const START = testLines("we met at the mill", "and saw it", "turn");
const TEXTS = textsOf(START);

let local: Storage;
let stored: { revision: number; lines: Lines };
let saves: number;
/** Runs before the next save; throws what the server answers. */
let beforeSave: () => void;
let editor: TranscriptEditor;

beforeEach(() => {
  vi.useFakeTimers();
  [local, stored, saves, beforeSave] = [memoryStorage(), { revision: 0, lines: START }, 0, () => {}];
  editor = open();
});
afterEach(() => {
  editor.stop();
  vi.useRealTimers();
});

const transcript = () => ({ ...structuredClone(stored), status: "Completed" }) as WholeTranscript;

/** A new page, with the draft of the last one. */
function open(): TranscriptEditor {
  const opened = createTranscriptEditor({
    transcript: transcript(),
    drafts: openDraftStore({ owner: "an-operator", id: "t", local }),
    save: async ({ revision, lines }) => {
      saves += 1;
      beforeSave();
      if (revision !== stored.revision) throw new CallError(409, "Someone else has changed this transcript.");
      stored = { revision: revision + 1, lines };
      return transcript();
    },
    load: async () => transcript(),
  });
  opened.start();
  return opened;
}

function retype(line: number, word: number, text: string, target = editor) {
  target.select({ line, word });
  target.change((lines, place) => retypeWord(lines, place, text));
}

/** Someone else's edit. */
function changeElsewhere(line: number, word: number, text: string) {
  const { patches } = retypeWord(stored.lines, { line, word }, text)!;
  stored = { revision: stored.revision + 1, lines: applyPatches(stored.lines, patches)! };
}

/** Without a last save, as after a crash. */
function crash(): TranscriptEditor {
  editor.keep();
  vi.clearAllTimers();
  return open();
}

const wait = () => vi.advanceTimersByTimeAsync(2_000);
const shown = (target = editor) => textsOf(target.read().editing.lines);

test("saves once after a pause, then saves what was edited meanwhile", async () => {
  retype(0, 0, "We");
  retype(1, 0, "And");
  expect(editor.read().state).toBe("unsaved");
  let isFirst = true;
  beforeSave = () => {
    if (isFirst) retype(2, 0, "Turn");
    isFirst = false;
  };
  await wait();
  expect(saves).toBe(1);
  expect(editor.read().state).toBe("unsaved");
  await wait();
  expect(saves).toBe(2);
  expect(editor.read()).toMatchObject({ state: "saved", editing: { revision: 2, unsaved: [] } });
  expect(textsOf(stored.lines)).toEqual(["We met at the mill", "And saw it", "Turn"]);
  await wait();
  expect(saves).toBe(2);
});

test("a reload keeps unsaved edits, and undo leads through saves and reloads", async () => {
  retype(0, 0, "We");
  await wait();
  retype(1, 0, "And");
  editor = crash();
  expect(shown()).toEqual(["We met at the mill", "And saw it", "turn"]);
  await wait();
  expect(stored.lines).toEqual(editor.read().editing.lines);
  editor = crash();
  editor.undo();
  editor.undo();
  expect(shown()).toEqual(TEXTS);
  editor = crash();
  editor.redo();
  expect(shown()).toEqual(["We met at the mill", "and saw it", "turn"]);
  await wait();
  expect(textsOf(stored.lines)).toEqual(shown());
});

test("a save whose response was lost is not a conflict, even after a reload", async () => {
  retype(0, 0, "We");
  beforeSave = () => {
    stored = { revision: stored.revision + 1, lines: editor.read().editing.lines };
    throw new CallError(0, "The server could not be reached.");
  };
  await wait();
  expect(editor.read().state).toBe("stuck");
  beforeSave = () => {};
  editor.keep();
  const reloaded = open();
  expect(reloaded.read()).toMatchObject({ state: "saved", theirs: null });
  reloaded.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(editor.read()).toMatchObject({ state: "saved", theirs: null });
  expect(textsOf(stored.lines)).toEqual(["We met at the mill", "and saw it", "turn"]);
});

test("retries while the server cannot be reached, but not after it rejected a save", async () => {
  beforeSave = () => {
    throw new CallError(503, "Starting.");
  };
  retype(0, 0, "We");
  await wait();
  expect(editor.read().state).toBe("stuck");
  beforeSave = () => {
    throw new CallError(400, "A word can have at most 200 characters.");
  };
  await vi.advanceTimersByTimeAsync(5_000);
  expect(editor.read()).toMatchObject({ state: "refused", failure: "A word can have at most 200 characters." });
  const before = saves;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(saves).toBe(before);
  beforeSave = () => {};
  retype(0, 1, "meet");
  await wait();
  expect(editor.read()).toMatchObject({ state: "saved", failure: null });
});

test("someone else's edits of other lines are merged, and both are saved", async () => {
  changeElsewhere(1, 0, "And");
  retype(0, 0, "We");
  await wait();
  expect(editor.read()).toMatchObject({ isMerged: true, theirs: null });
  await wait();
  expect(editor.read().state).toBe("saved");
  expect(textsOf(stored.lines)).toEqual(["We met at the mill", "And saw it", "turn"]);
});

test.each(["mine", "theirs"] as const)(
  "edits of the same line wait for a choice, even through a reload, and undo restores the other version: %s",
  async (version) => {
    changeElsewhere(0, 0, "They");
    retype(0, 0, "We");
    retype(2, 0, "Turn");
    await wait();
    expect(editor.read().state).toBe("conflict");
    expect(shown()[0]).toBe("We met at the mill");
    const before = saves;
    editor = crash();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(editor.read().state).toBe("conflict");
    expect(saves).toBe(before);
    expect(shown()[0]).toBe("We met at the mill");
    editor.resolve(version);
    await vi.advanceTimersByTimeAsync(0);
    const [mine, theirs] = ["We met at the mill", "They met at the mill"];
    expect(textsOf(stored.lines)[0]).toBe(version === "mine" ? mine : theirs);
    expect(editor.read()).toMatchObject({ state: "saved", theirs: null });
    editor.undo();
    expect(shown()[0]).toBe(version === "mine" ? theirs : mine);
  },
);

test("leaving the page saves immediately, and keeps the draft if the save fails", async () => {
  retype(0, 0, "We");
  beforeSave = () => {
    throw new CallError(0, "Offline.");
  };
  editor.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(saves).toBe(1);
  beforeSave = () => {};
  editor = open();
  expect(shown()[0]).toBe("We met at the mill");
  await wait();
  expect(textsOf(stored.lines)[0]).toBe("We met at the mill");
});

test("warns if the browser has no room, after dropping old undo steps", () => {
  let room = 1_200;
  const full = memoryStorage();
  const setItem = full.setItem.bind(full);
  full.setItem = (key, value) => {
    if (value.length > room) throw new DOMException("full", "QuotaExceededError");
    setItem(key, value);
  };
  local = full;
  editor = open();
  retype(2, 0, "Turn");
  editor.keep();
  expect(editor.read().isKept).toBe(true);
  room = 100;
  retype(2, 0, "Turned");
  editor.keep();
  expect(editor.read().isKept).toBe(false);
});
