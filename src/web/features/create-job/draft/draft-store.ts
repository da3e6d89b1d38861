/**
 * Drafts of the job form in the browser's storage. Each tab has a slot of its own, so that two tabs never write over one
 * another; a new tab goes on from a copy of the newest draft.
 */
import type { JobForm } from "./job-form.ts";
import { randomId } from "../start/random-id.ts";
import { DRAFT_VERSION, readDraft, type StoredDraft } from "./read-draft.ts";

/** Browsers give a site about five million characters; a draft is part of that, and so are those of other tabs. */
const MOST_CHARACTERS = 1_000_000;
/** Older ones, and more of them, are of tabs that are long gone. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;
const MOST_SLOTS = 4;
const SLOT_PREFIX = "clipmill-job-draft/";
const TAB_KEY = "clipmill-job-draft-tab";

export type DraftStore = {
  /** The draft to go on with, or null. */
  read(): JobForm | null;
  /** Keeps a draft. False when that is not possible (too large, no room): then none is kept. */
  write(form: JobForm): boolean;
  /** Forgets this tab's draft, and the one it was copied from unless another tab has gone on with that. */
  remove(): void;
};

type Stores = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** The drafts of one account. `local` is shared by all tabs, `session` belongs to this one. */
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
  /** The state of the slot as this tab knows it; another means that another tab writes there. */
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
    // A duplicated tab has the same slot at first; who comes second takes another one.
    const found = readDraft(local.getItem(slot));
    if (slot === "" || (found && found.revision !== revision)) takeNewSlot();
    if (revision === null) dropOldSlots(local, prefix, now());
    const draft: StoredDraft = { version: DRAFT_VERSION, revision: randomId(), savedAt: now(), form };
    const text = JSON.stringify(draft);
    if (text.length > MOST_CHARACTERS) throw new RangeError("too large for a draft");
    local.setItem(slot, text);
    revision = draft.revision;
  }

  function remove() {
    for (const known of [{ slot, revision }, origin]) {
      if (known && readDraft(local.getItem(known.slot))?.revision === known.revision) local.removeItem(known.slot);
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

/** What `work` gives; undefined when storage is closed to us, or full. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The drafts there are, newest first; what is damaged, old or too many is removed. */
function dropOldSlots(local: Storage, prefix: string, now: number): { slot: string; draft: StoredDraft }[] {
  const keys = Array.from({ length: local.length }, (_, index) => local.key(index) ?? "");
  const slots = keys.filter((key) => key.startsWith(prefix));
  const kept = slots
    .flatMap((slot) => {
      const draft = readDraft(local.getItem(slot));
      return draft && draft.savedAt > now - KEPT_MS ? [{ slot, draft }] : [];
    })
    .toSorted((a, b) => b.draft.savedAt - a.draft.savedAt)
    .slice(0, MOST_SLOTS);
  const names = new Set(kept.map(({ slot }) => slot));
  for (const slot of slots) if (!names.has(slot)) local.removeItem(slot);
  return kept;
}
