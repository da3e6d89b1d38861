/** Unsaved edits and undo of transcripts in the browser, by account and transcript. */
import type { Editing } from "../model/editing.ts";

const PREFIX = "clipmill-transcript/";
const VERSION = 1;
/** Browsers allow about five million characters per site, shared by all drafts. */
const MOST_CHARACTERS = 1_000_000;
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;
const MAX_DRAFTS = 8;
/** Undo steps to keep when there is no room for all. */
const FEW_STEPS = 20;

/** Does not contain the lines: `unsaved` turns the server's lines into the edited ones. */
export type Draft = Omit<Editing, "lines"> & {
  /** True until the operator has chosen between two versions. */
  isContested: boolean;
};

export type DraftStore = {
  read(): Draft | null;
  /** Drops the oldest undo steps if there is no room. Returns false if even unsaved edits could not be stored. */
  write(draft: Draft): boolean;
};

export function openDraftStore({
  owner,
  id,
  local,
  now = Date.now,
}: {
  owner: string;
  id: string;
  local: Storage;
  now?: () => number;
}): DraftStore {
  const key = `${PREFIX}${owner}/${id}`;
  return {
    read() {
      try {
        return parse(local.getItem(key), now());
      } catch {
        return null;
      }
    },
    write({ revision, unsaved, done, undone, isContested }) {
      try {
        if (unsaved.length + done.length + undone.length === 0) {
          local.removeItem(key);
          return true;
        }
        dropOld(local, key, now());
      } catch {
        return unsaved.length === 0;
      }
      for (const most of [Infinity, FEW_STEPS, 0]) {
        const kept = { done: most === 0 ? [] : done.slice(-most), undone: most === 0 ? [] : undone.slice(-most) };
        const draft: Stored = { version: VERSION, savedAt: now(), revision, unsaved, isContested, ...kept };
        const text = JSON.stringify(draft);
        if (text.length > MOST_CHARACTERS && most > 0) continue;
        try {
          local.setItem(key, text);
          return true;
        } catch {
          // Try with fewer steps.
        }
      }
      return unsaved.length === 0;
    },
  };
}

function parse(text: string | null, now: number): Draft | null {
  const found: unknown = JSON.parse(text ?? "null");
  if (!isDraft(found) || found.savedAt < now - KEPT_MS) return null;
  const { revision, unsaved, done, undone, isContested } = found;
  return { revision, unsaved, done, undone, isContested };
}

type Stored = Draft & { version: number; savedAt: number };

/** Drafts that are damaged or from another version cannot be applied. Patches are checked when applied. */
function isDraft(value: unknown): value is Stored {
  if (typeof value !== "object" || value === null) return false;
  const draft = value as Partial<Stored>;
  return (
    draft.version === VERSION &&
    typeof draft.savedAt === "number" &&
    typeof draft.revision === "number" &&
    typeof draft.isContested === "boolean" &&
    [draft.unsaved, draft.done, draft.undone].every((list) => Array.isArray(list))
  );
}

/** Keeps other drafts with unsaved edits for 30 days, and the newest of the others. */
function dropOld(local: Storage, own: string, now: number): void {
  const keys = Array.from({ length: local.length }, (_, index) => local.key(index) ?? "");
  const others = keys.filter((key) => key.startsWith(PREFIX) && key !== own);
  if (others.length < MAX_DRAFTS) return;
  const drafts = others.map((key) => ({ key, draft: readStored(local, key) }));
  const spare = drafts
    .filter(({ draft }) => !draft || draft.unsaved.length === 0 || draft.savedAt < now - KEPT_MS)
    .toSorted((a, b) => (a.draft?.savedAt ?? 0) - (b.draft?.savedAt ?? 0));
  for (const { key } of spare.slice(0, others.length - MAX_DRAFTS + 1)) local.removeItem(key);
}

function readStored(local: Storage, key: string): Stored | null {
  try {
    const found: unknown = JSON.parse(local.getItem(key) ?? "null");
    return isDraft(found) ? found : null;
  } catch {
    return null;
  }
}
