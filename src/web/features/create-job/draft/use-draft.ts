import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useSession } from "../../../api/connection/session.ts";
import type { ChangedJob } from "../proof/use-changed-job.ts";
import { openChangeDraft } from "./change-draft.ts";
import { openDraftStore, type DraftStore } from "./draft-store.ts";
import type { JobForm } from "./job-form.ts";
import { isSameForm } from "./same-form.ts";

const SAVE_AFTER_MS = 500;

/** `restored`: the draft found when the store was opened, or null. */
export type OpenedDraft = { drafts: DraftStore; restored: JobForm | null };

/** Opens once per mount. The change of a job has its own draft. */
export function useDraftStore(changed: ChangedJob | null): OpenedDraft {
  const owner = useSession().open?.userId ?? "";
  const [opened] = useState(() => {
    const drafts = changed
      ? openChangeDraft({ owner, jobId: changed.id, session: sessionStorage })
      : openDraftStore({ owner, local: localStorage, session: sessionStorage });
    if (changed?.isNew) drafts.remove();
    return { drafts, restored: drafts.read() };
  });
  return opened;
}

/** Saves 500 ms after a change and when the page is hidden or left. Removes a draft that equals `fresh`. */
export function useDraftKeeper(
  drafts: DraftStore,
  values: JobForm,
  fresh: JobForm,
  /** Returns the form's values, which `values` may lag behind. */
  latest: () => JobForm,
): {
  isKept: boolean;
  /** Removes the draft until the form changes again. */
  forget: () => void;
} {
  const [isKept, setIsKept] = useState(true);
  const kept = useRef(values);
  const save = useEffectEvent((typed: JobForm = latest()) => {
    if (kept.current === typed || isSameForm(kept.current, typed)) return;
    kept.current = typed;
    if (isSameForm(typed, fresh)) {
      drafts.remove();
      setIsKept(true);
    } else setIsKept(drafts.write(typed));
  });
  useEffect(() => {
    const timer = setTimeout(() => save(values), SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [values]);
  useEffect(() => {
    const stop = new AbortController();
    window.addEventListener("pagehide", () => save(), stop);
    document.addEventListener("visibilitychange", () => save(), stop);
    return () => {
      stop.abort();
      save();
    };
  }, []);
  function forget() {
    kept.current = latest();
    drafts.remove();
  }
  return { isKept, forget };
}
