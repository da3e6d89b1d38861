import { useEffect, useState } from "react";
import type { Job } from "#contract/jobs/jobs.ts";
import { useSession } from "../../../api/connection/session.ts";
import { asCancelling, useCancellingIds } from "../../../jobs/actions/use-cancel-job.ts";
import { openStartedStore, type StartedStore } from "./started-store.ts";
import { useEndToast } from "./use-end-toast.ts";
import { useFollowedJob, type FollowedJob } from "./use-followed-job.ts";

export type StartedJob = {
  job: Job | null;
  follow: (created: Job) => void;
  dismiss: () => void;
};

/**
 * Returns the last job started from this screen until it is dismissed, replaced or deleted; survives reloads. Each tab
 * keeps its own; a new tab shows the newest of all tabs.
 */
export function useStartedJob(): StartedJob {
  const store = useStartedStore();
  const [followed, setFollowed] = useState<FollowedJob | null>(() => {
    const id = store.read();
    return id === null ? null : { id };
  });
  const { job, isGone } = useFollowedJob(followed);
  const isCancelling = useCancellingIds().has(followed?.id ?? "");
  useEndToast(job);
  const goneId = isGone ? followed?.id : undefined;
  useEffect(() => {
    if (goneId !== undefined) store.forget(goneId);
  }, [goneId, store]);

  function follow(created: Job) {
    store.write(created.id);
    setFollowed({ id: created.id, created });
  }
  function dismiss() {
    if (followed) store.forget(followed.id);
    setFollowed(null);
  }
  return { job: job && isCancelling ? asCancelling(job) : job, follow, dismiss };
}

function useStartedStore(): StartedStore {
  const owner = useSession().open?.userId ?? "";
  const [store] = useState(() => openStartedStore({ owner, local: localStorage }));
  return store;
}
