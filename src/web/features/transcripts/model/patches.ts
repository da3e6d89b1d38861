/** Changes of a transcript as replaced lines, so that each can be undone, stored and applied to a newer version. */
import type { TranscriptLine, TranscriptWord } from "#contract/transcripts/transcripts.ts";

export type Lines = readonly TranscriptLine[];

/** At `at`, the lines `removed` become `inserted`. */
export type Patch = { at: number; removed: Lines; inserted: Lines };

/** Patches in the order in which they are applied. */
export type Patches = readonly Patch[];

/** Returns null if the lines are not those that the patches were made for. */
export function applyPatches(lines: Lines, patches: Patches): Lines | null {
  const next = [...lines];
  for (const { at, removed, inserted } of patches) {
    if (!isAt(next, at, removed)) return null;
    next.splice(at, removed.length, ...inserted);
  }
  return next;
}

export function invertPatches(patches: Patches): Patches {
  return patches.map(({ at, removed, inserted }) => ({ at, removed: inserted, inserted: removed })).toReversed();
}

/** Returns the one patch from the first different line to the last one, or none. */
export function patchesBetween(before: Lines, after: Lines): Patches {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && isSameLine(before[start]!, after[start]!)) start += 1;
  let end = 0;
  while (end < most - start && isSameLine(before.at(-1 - end)!, after.at(-1 - end)!)) end += 1;
  const removed = before.slice(start, before.length - end);
  const inserted = after.slice(start, after.length - end);
  return removed.length + inserted.length === 0 ? [] : [{ at: start, removed, inserted }];
}

/** Moves patches to other lines. Returns null if one does not fit. */
export function rebasePatches(patches: Patches, onto: Lines): Patches | null {
  const moved: Patch[] = [];
  let lines = onto;
  for (const { at, removed, inserted } of patches) {
    const place = findNear(lines, at, removed);
    if (place === null) return null;
    const patch = { at: place, removed, inserted };
    moved.push(patch);
    lines = applyPatches(lines, [patch])!;
  }
  return moved;
}

/** Two people's versions of the lines. They are equal unless both changed the same lines. */
type Merged = { mine: Lines; theirs: Lines; isConflict: boolean };

/**
 * Applies patches to lines that someone else has changed. Leaves out those that the lines contain already, such as after
 * a save whose response was lost. Where one does not fit, `mine` has its lines, and `theirs` those of the other person.
 */
export function mergePatches(patches: Patches, onto: Lines): Merged {
  let [mine, theirs] = [onto, onto];
  let isConflict = false;
  for (const patch of patches) {
    theirs = applyNear(theirs, patch) ?? theirs;
    const next = applyNear(mine, patch);
    if (next === null) isConflict = true;
    mine = next ?? replaceTime(mine, patch);
  }
  return { mine, theirs, isConflict: isConflict && patchesBetween(mine, theirs).length > 0 };
}

function applyNear(lines: Lines, patch: Patch): Lines | null {
  const place = findNear(lines, patch.at, patch.removed);
  if (isDone(lines, patch, place)) return lines;
  return place === null ? null : lines.toSpliced(place, patch.removed.length, ...patch.inserted);
}

/** Replaces the lines of the patch's time. */
function replaceTime(lines: Lines, { removed, inserted }: Patch): Lines {
  const span = [...removed, ...inserted];
  const start = Math.min(...span.map(({ startSeconds }) => startSeconds));
  const end = Math.max(...span.map(({ endSeconds }) => endSeconds));
  const kept = lines.filter(({ startSeconds, endSeconds }) => startSeconds >= end || endSeconds <= start);
  return [...kept, ...inserted].toSorted((a, b) => a.startSeconds - b.startSeconds);
}

/** `place`: where the lines `removed` are, or null. */
function isDone(lines: Lines, { at, removed, inserted }: Patch, place: number | null): boolean {
  if (removed.length > 0 && place !== null) return false;
  if (inserted.length > 0) return findNear(lines, at, inserted) !== null;
  const starts = new Set(removed.map(({ startSeconds }) => startSeconds));
  return !lines.some(({ startSeconds }) => starts.has(startSeconds));
}

/** Lines that were added or removed above move a place; the nearest is the right one among equal lines. */
function findNear(lines: Lines, at: number, wanted: Lines): number | null {
  if (wanted.length === 0) return at <= lines.length ? at : null;
  for (let away = 0; away < lines.length + at; away += 1) {
    if (isAt(lines, at - away, wanted)) return at - away;
    if (isAt(lines, at + away, wanted)) return at + away;
  }
  return null;
}

function isAt(lines: Lines, at: number, wanted: Lines): boolean {
  if (at < 0 || at + wanted.length > lines.length) return false;
  return wanted.every((line, i) => isSameLine(line, lines[at + i]!));
}

export function isSameLine(a: TranscriptLine, b: TranscriptLine): boolean {
  if (a === b) return true;
  return (
    a.startSeconds === b.startSeconds &&
    a.endSeconds === b.endSeconds &&
    a.words.length === b.words.length &&
    a.words.every((word, i) => isSameWord(word, b.words[i]!))
  );
}

function isSameWord(a: TranscriptWord, b: TranscriptWord): boolean {
  return (
    a.text === b.text &&
    a.startSeconds === b.startSeconds &&
    a.endSeconds === b.endSeconds &&
    a.confidence === b.confidence &&
    (a.hidden ?? false) === (b.hidden ?? false)
  );
}
