/** Drafts of the job form in the browser. Each tab has its own slot; a new tab copies the newest draft. */
import type { JobForm } from "./job-form.ts";
import { randomId } from "../start/random-id.ts";
import { DRAFT_VERSION, readDraft, type StoredDraft } from "./read-draft.ts";

/** Browsers allow about five million characters per site, shared by all drafts. */
const MOST_CHARACTERS = 1_000_000;
/** Older or surplus drafts belong to closed tabs. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;
const MAX_SLOTS = 4;
const SLOT_PREFIX = "clipmill-job-draft/";
const TAB_KEY = "clipmill-job-draft-tab";

export type DraftStore = {
  read(): JobForm | null;
  /** Returns false and removes the draft if it is too large or storage fails. */
  write(form: JobForm): boolean;
  /** Removes this tab's draft, and the one it was copied from unless another tab has changed that since. */
  remove(): void;
};

export type Stores = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** `local` is shared by all tabs; `session` belongs to this tab. */
export function openDraftStore({
  owner,
  local,
  session,
  now = Date.now,
}: {
  owner: string;
  local: Storage;
  session: Stores;
  now?: () => number;
}): DraftStore {
  const prefix = `${SLOT_PREFIX}${owner}/`;
  let slot = "";
  /** Last revision that this tab saw; any other means that another tab writes to the slot. */
  let revision: string | null = null;
  let origin: { slot: string; revision: string } | null = null;

  function takeNewSlot() {
    const tab = randomId();
    session.setItem(TAB_KEY, tab);
    slot = prefix + tab;
    revision = null;
  }

  function read(): JobForm | null {
    const tab = session.getItem(TAB_KEY);
    if (tab !== null) {
      slot = prefix + tab;
      const own = readDraft(local.getItem(slot));
      revision = own?.revision ?? null;
      return own?.form ?? null;
    }
    takeNewSlot();
    const newest = dropOldSlots(local, prefix, now())[0];
    if (!newest) return null;
    origin = { slot: newest.slot, revision: newest.draft.revision };
    return newest.draft.form;
  }

  function write(form: JobForm) {
    // A duplicated tab starts with the same slot; the second to write takes a new one.
    const found = readDraft(local.getItem(slot));
    if (slot === "" || (found && found.revision !== revision)) takeNewSlot();
    if (revision === null) dropOldSlots(local, prefix, now());
    const draft = packDraft(form, now());
    local.setItem(slot, draft.text);
    revision = draft.revision;
  }

  function remove() {
    for (const saved of [{ slot, revision }, origin]) {
      if (saved && readDraft(local.getItem(saved.slot))?.revision === saved.revision) local.removeItem(saved.slot);
    }
    revision = null;
    origin = null;
  }

  return {
    read: () => attempt(read) ?? null,
    write: (form) => {
      const isWritten = attempt(() => (write(form), true)) ?? false;
      if (!isWritten) attempt(remove);
      return isWritten;
    },
    remove: () => {
      attempt(remove);
    },
  };
}

/** Throws RangeError if the form is too large. */
export function packDraft(form: JobForm, savedAt: number): { text: string; revision: string } {
  const draft: StoredDraft = { version: DRAFT_VERSION, revision: randomId(), savedAt, form };
  const text = JSON.stringify(draft);
  if (text.length > MOST_CHARACTERS) throw new RangeError("too large for a draft");
  return { text, revision: draft.revision };
}

/** Returns undefined if storage fails. */
export function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Returns the drafts, newest first, after removing damaged, old and surplus ones. */
function dropOldSlots(local: Storage, prefix: string, now: number): { slot: string; draft: StoredDraft }[] {
  const keys = Array.from({ length: local.length }, (_, index) => local.key(index) ?? "");
  const slots = keys.filter((key) => key.startsWith(prefix));
  const kept = slots
    .flatMap((slot) => {
      const draft = readDraft(local.getItem(slot));
      return draft && draft.savedAt > now - KEPT_MS ? [{ slot, draft }] : [];
    })
    .toSorted((a, b) => b.draft.savedAt - a.draft.savedAt)
    .slice(0, MAX_SLOTS);
  const names = new Set(kept.map(({ slot }) => slot));
  for (const slot of slots) if (!names.has(slot)) local.removeItem(slot);
  return kept;
}
