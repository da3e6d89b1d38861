import { attempt, type DraftStore, packDraft, type Stores } from "./draft-store.ts";
import { readDraft } from "./read-draft.ts";

const KEY_PREFIX = "clipmill-job-change/";

/** The draft of a change to one job. Stays in this tab, apart from the drafts of new jobs. */
export function openChangeDraft({
  owner,
  jobId,
  session,
  now = Date.now,
}: {
  owner: string;
  jobId: string;
  session: Stores;
  now?: () => number;
}): DraftStore {
  const key = `${KEY_PREFIX}${owner}/${jobId}`;
  const remove = () => {
    attempt(() => session.removeItem(key));
  };
  return {
    read: () => attempt(() => readDraft(session.getItem(key))?.form) ?? null,
    write: (form) => {
      const isWritten = attempt(() => (session.setItem(key, packDraft(form, now()).text), true)) ?? false;
      if (!isWritten) remove();
      return isWritten;
    },
    remove,
  };
}
