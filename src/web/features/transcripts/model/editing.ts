/** The state of an edited transcript. Every function returns a new one. */
import type { Change, Place } from "./commands.ts";
import {
  applyPatches,
  invertPatches,
  isSameLine,
  type Lines,
  mergePatches,
  type Patches,
  patchesBetween,
  rebasePatches,
} from "./patches.ts";

/** `place`: the selected word before the change. */
type Step = { patches: Patches; place: Place };

export type Editing = {
  lines: Lines;
  /** Revision on the server that `unsaved` applies to. */
  revision: number;
  /** From the server's lines to `lines`. */
  unsaved: Patches;
  done: readonly Step[];
  undone: readonly Step[];
};

const MAX_STEPS = 200;

export function startEditing({ lines, revision }: { lines: Lines; revision: number }): Editing {
  return { lines, revision, unsaved: [], done: [], undone: [] };
}

export function makeChange(editing: Editing, { patches }: Change, place: Place): Editing {
  const changed = apply(editing, patches);
  return { ...changed, done: [...editing.done, { patches, place }].slice(-MAX_STEPS), undone: [] };
}

/** Returns null if there is nothing to undo. */
export function undo(editing: Editing): { editing: Editing; place: Place } | null {
  const step = editing.done.at(-1);
  if (!step) return null;
  const changed = apply(editing, invertPatches(step.patches));
  const [done, undone] = [editing.done.slice(0, -1), [...editing.undone, step]];
  return { editing: { ...changed, done, undone }, place: step.place };
}

/** Returns null if there is nothing to redo. */
export function redo(editing: Editing): { editing: Editing; place: Place } | null {
  const step = editing.undone.at(-1);
  if (!step) return null;
  const changed = apply(editing, step.patches);
  const [done, undone] = [[...editing.done, step], editing.undone.slice(0, -1)];
  return { editing: { ...changed, done, undone }, place: step.place };
}

/** Throws RangeError if the patches are for other lines. */
function apply(editing: Editing, patches: Patches): Editing {
  const lines = applyPatches(editing.lines, patches);
  if (!lines) throw new RangeError("The patches are not for these lines.");
  return { ...editing, lines, unsaved: [...editing.unsaved, ...patches] };
}

export type Saved = { lines: Lines; revision: number };

/**
 * Continues from the server's lines: after a save of the lines `sent`, or after someone else's save. Keeps edits that are
 * not in it, and undo as far as it fits. If both changed the same lines, keeps one's own, and returns `theirs`.
 */
export function takeSaved(
  editing: Editing,
  saved: Saved,
  sent: Lines | null = null,
): { editing: Editing; theirs: Lines | null } {
  const { revision } = saved;
  if (isSame(saved.lines, editing.lines)) return { editing: { ...editing, revision, unsaved: [] }, theirs: null };
  const rest = sent ? patchesBetween(sent, editing.lines) : editing.unsaved;
  const merged = mergeInto(saved, rest, editing);
  if (merged.theirs !== null || !isSame(merged.editing.lines, editing.lines)) return merged;
  return { editing: { ...editing, revision, unsaved: merged.editing.unsaved }, theirs: null };
}

function mergeInto(saved: Saved, rest: Patches, { done }: Pick<Editing, "done">): ReturnType<typeof takeSaved> {
  const { mine, theirs, isConflict } = mergePatches(rest, saved.lines);
  const steps = isConflict ? startSteps(theirs, mine) : movedSteps(done, mine);
  const editing = { revision: saved.revision, lines: mine, unsaved: patchesBetween(saved.lines, mine), ...steps };
  return { editing, theirs: isConflict ? theirs : null };
}

/** Undo switches from one version to the other. */
function startSteps(before: Lines, after: Lines): Pick<Editing, "done" | "undone"> {
  const patches = patchesBetween(before, after);
  return { done: [{ patches, place: { line: patches[0]?.at ?? 0, word: 0 } }], undone: [] };
}

/** Keeps the undo steps that still fit, starting with the latest. */
function movedSteps(done: Editing["done"], lines: Lines): Pick<Editing, "done" | "undone"> {
  const kept: Step[] = [];
  let before = lines;
  for (const step of done.toReversed()) {
    const back = rebasePatches(invertPatches(step.patches), before);
    if (!back || back.length !== step.patches.length) break;
    kept.unshift({ patches: invertPatches(back), place: step.place });
    before = applyPatches(before, back)!;
  }
  return { done: kept, undone: [] };
}

export function takeLines(editing: Editing, lines: Lines, place: Place): Editing {
  const patches = patchesBetween(editing.lines, lines);
  return patches.length === 0 ? editing : makeChange(editing, { patches, place }, place);
}

/** Continues a draft, which does not contain the lines. */
export function openDraft(
  saved: Saved,
  { revision, unsaved, done, undone }: Omit<Editing, "lines">,
): ReturnType<typeof takeSaved> {
  const lines = revision === saved.revision ? applyPatches(saved.lines, unsaved) : null;
  if (lines) return { editing: { ...saved, lines, unsaved, ...checkedSteps({ lines, done, undone }) }, theirs: null };
  return mergeInto(saved, unsaved, { done });
}

function patchesOf(steps: readonly Step[]): Patches {
  return steps.flatMap(({ patches }) => patches);
}

function checkedSteps({
  lines,
  done,
  undone,
}: Pick<Editing, "lines" | "done" | "undone">): Pick<Editing, "done" | "undone"> {
  return {
    done: applyPatches(lines, invertPatches(patchesOf(done))) ? done : [],
    undone: applyPatches(lines, patchesOf(undone.toReversed())) ? undone : [],
  };
}

function isSame(a: Lines, b: Lines): boolean {
  return a === b || (a.length === b.length && a.every((line, i) => isSameLine(line, b[i]!)));
}
