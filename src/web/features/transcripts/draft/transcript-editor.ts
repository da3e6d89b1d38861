import type { WholeTranscript } from "#contract/transcripts/transcripts.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import type { Change, Place } from "../model/commands.ts";
import {
  type Editing,
  makeChange,
  openDraft,
  redo,
  startEditing,
  takeLines,
  takeSaved,
  undo,
} from "../model/editing.ts";
import type { Lines } from "../model/patches.ts";
import { clampPlace } from "../model/word-at.ts";
import type { DraftStore } from "./draft-store.ts";
import { type LineItem, nextItems } from "./line-items.ts";

/** "stuck": the server cannot be reached; saves are retried. "refused": saves stop until the next change. */
export type SaveState = "saved" | "unsaved" | "saving" | "stuck" | "refused" | "conflict";

export type EditorView = {
  editing: Editing;
  /** The lines, with ids that stay while they are edited. */
  items: readonly LineItem[];
  /** The selected word. */
  place: Place;
  state: SaveState;
  /** Why the server refused the lines. */
  failure: string | null;
  /** Someone else's version of the same lines. */
  theirs: Lines | null;
  /** True after someone else's edits were merged. */
  isMerged: boolean;
  /** False if the browser cannot store unsaved edits, so a reload would lose them. */
  isKept: boolean;
};

export type TranscriptEditor = {
  read: () => EditorView;
  subscribe: (listener: () => void) => () => void;
  /** Returns false if there is nothing to change. */
  change: (command: (lines: Lines, place: Place) => Change | null) => boolean;
  select: (place: Place) => void;
  undo: () => void;
  redo: () => void;
  /** Saves now. Returns false if edits are still unsaved. */
  flush: () => Promise<boolean>;
  resolve: (version: "mine" | "theirs") => void;
  /** Writes the draft immediately, such as before the page is left. */
  keep: () => void;
  /** Saves edits until stopped. */
  start: () => void;
  /** Keeps the draft and saves once more. */
  stop: () => void;
};

const SAVE_AFTER_MS = 2_000;
const KEEP_AFTER_MS = 250;
const RETRY_AFTER_MS = 5_000;
/** A CallError status for which a retry is useless. */
const REFUSED = new Set([400, 403, 404, 413, 422]);

/** Edits one transcript, with its draft in the browser. Saves after a pause; never two saves at a time. */
export function createTranscriptEditor({
  transcript,
  drafts,
  save,
  load,
}: {
  transcript: WholeTranscript;
  drafts: DraftStore;
  save: (edited: { revision: number; lines: Lines }) => Promise<WholeTranscript>;
  load: () => Promise<WholeTranscript>;
}): TranscriptEditor {
  const listeners = new Set<() => void>();
  const draft = drafts.read();
  const opened = draft ? openDraft(transcript, draft) : { editing: startEditing(transcript), theirs: null };
  const isContested = opened.theirs === null && draft?.isContested === true && opened.editing.unsaved.length > 0;
  const theirs = isContested ? transcript.lines : opened.theirs;
  let view: EditorView = {
    editing: opened.editing,
    items: nextItems([], opened.editing.lines),
    place: clampPlace(opened.editing.lines, { line: 0, word: 0 }),
    state: theirs ? "conflict" : opened.editing.unsaved.length > 0 ? "unsaved" : "saved",
    failure: null,
    theirs,
    isMerged: false,
    isKept: true,
  };
  let saveTimer: ReturnType<typeof setTimeout> | undefined;
  let keepTimer: ReturnType<typeof setTimeout> | undefined;
  let saving: Promise<void> | null = null;
  let isStopped = true;

  function publish(change: Partial<EditorView>) {
    const { editing = view.editing } = change;
    const items = editing.lines === view.editing.lines ? view.items : nextItems(view.items, editing.lines);
    view = { ...view, ...change, items };
    for (const listener of listeners) listener();
  }

  function keep() {
    clearTimeout(keepTimer);
    keepTimer = undefined;
    const isKept = drafts.write({ ...view.editing, isContested: view.theirs !== null });
    if (isKept !== view.isKept) publish({ isKept });
  }

  function saveLater(afterMs: number) {
    clearTimeout(saveTimer);
    if (!isStopped) saveTimer = setTimeout(() => void flush(), afterMs);
  }

  function edit(editing: Editing, place: Place) {
    if (editing === view.editing) return;
    const state = view.theirs ? "conflict" : editing.unsaved.length > 0 ? "unsaved" : "saved";
    publish({ editing, place: clampPlace(editing.lines, place), state, failure: null, isMerged: false });
    keepTimer ??= setTimeout(keep, KEEP_AFTER_MS);
    if (state === "unsaved") saveLater(SAVE_AFTER_MS);
  }

  async function flush(): Promise<boolean> {
    clearTimeout(saveTimer);
    // Edits made during a save are saved after it.
    if (saving) await saving;
    if (view.theirs) return false;
    if (view.editing.unsaved.length > 0) {
      saving ??= saveOnce().finally(() => {
        saving = null;
      });
      await saving;
    }
    return view.editing.unsaved.length === 0;
  }

  async function saveOnce() {
    const { lines: sent, revision } = view.editing;
    publish({ state: "saving" });
    try {
      const saved = await save({ revision, lines: sent });
      // Nobody else can have changed them since.
      take(takeSaved(view.editing, saved, sent).editing, null);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (error.status === 409) await merge(error.message);
      else if (REFUSED.has(error.status)) publish({ state: "refused", failure: error.message });
      else {
        publish({ state: "stuck" });
        saveLater(RETRY_AFTER_MS);
      }
    }
  }

  async function merge(reason: string) {
    try {
      const latest = await load();
      if (latest.revision === view.editing.revision) return publish({ state: "refused", failure: reason });
      const { editing, theirs } = takeSaved(view.editing, latest);
      take(editing, theirs);
      publish({ isMerged: theirs === null });
    } catch {
      publish({ state: "stuck" });
      saveLater(RETRY_AFTER_MS);
    }
  }

  function take(editing: Editing, theirs: Lines | null) {
    const isUnsaved = editing.unsaved.length > 0;
    const state = theirs ? "conflict" : isUnsaved ? "unsaved" : "saved";
    publish({ editing, place: clampPlace(editing.lines, view.place), state, theirs, failure: null });
    keep();
    if (state === "unsaved") saveLater(SAVE_AFTER_MS);
  }

  function travel(by: typeof undo) {
    const moved = by(view.editing);
    if (moved) edit(moved.editing, moved.place);
  }

  return {
    read: () => view,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change(command) {
      const change = command(view.editing.lines, view.place);
      if (!change) return false;
      edit(makeChange(view.editing, change, view.place), change.place);
      return true;
    },
    select: (place) => publish({ place: clampPlace(view.editing.lines, place) }),
    undo: () => travel(undo),
    redo: () => travel(redo),
    flush,
    resolve(version) {
      const { theirs } = view;
      if (!theirs) return;
      publish({ theirs: null, state: "unsaved" });
      if (version === "theirs") edit(takeLines(view.editing, theirs, view.place), view.place);
      keep();
      void flush();
    },
    keep,
    start() {
      isStopped = false;
      if (view.editing.unsaved.length > 0) saveLater(SAVE_AFTER_MS);
    },
    stop() {
      isStopped = true;
      if (keepTimer !== undefined) keep();
      void flush();
    },
  };
}
