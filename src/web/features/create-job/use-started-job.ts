import { useEffect, useState } from "react";
import type { Job } from "#contract/jobs.ts";
import { useSession } from "../../api/session.ts";
import { asCancelling, useCancellingIds } from "../../jobs/use-cancel-job.ts";
import { openStartedStore, type StartedStore } from "./started-store.ts";
import { useEndToast } from "./use-end-toast.ts";
import { useLiveJob, type FollowedJob } from "./use-live-job.ts";

export type StartedJob = {
  /** As it is now; null when none was started, or it was dismissed or deleted. */
  job: Job | null;
  /** Puts the job that was just created in place of the one before. */
  follow: (created: Job) => void;
  dismiss: () => void;
};

/**
 * The job that was started last from this screen. It is found again after a reload or a visit elsewhere, also when it has
 * ended meanwhile, until it is dismissed or the next one starts. A tab stays with its own; a new one takes the newest of
 * all tabs.
 */
export function useStartedJob(): StartedJob {
  const store = useStartedStore();
  const [followed, setFollowed] = useState<FollowedJob | null>(() => {
    const id = store.read();
    return id === null ? null : { id };
  });
  const { job, isGone } = useLiveJob(followed);
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
  const session = useSession();
  const owner = session.status === "signed-in" ? session.userId : "";
  const [store] = useState(() => openStartedStore({ owner, local: localStorage }));
  return store;
}
