import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { isFinal, type Job } from "#contract/jobs/jobs.ts";
import { useSession } from "../../../api/connection/session.ts";
import { asCancelling, useCancellingIds } from "../../../jobs/actions/use-cancel-job.ts";
import { useDownloadZip } from "../../../jobs/actions/use-download-zip.ts";
import { jobKeys } from "../../../jobs/cache/job-keys.ts";
import { isMissingJob } from "../../../jobs/job-address.ts";
import { readWholeJob } from "../../../jobs/read-whole-job.ts";
import { useLiveJob } from "../../../jobs/use-live-job.ts";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { openStartedStore, type StartedStore } from "./started-store.ts";

type StartedJob = {
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

/** `created` is set for jobs created on this screen. */
type FollowedJob = { id: string; created?: Job };

/** `isGone` becomes true once the job is deleted. */
function useFollowedJob(followed: FollowedJob | null): { job: Job | null; isGone: boolean } {
  const client = useQueryClient();
  const id = followed?.id ?? "";
  const queryKey = jobKeys.job(id);
  const { data, error } = useQuery({
    queryKey,
    queryFn: () => readWholeJob(client, id),
    enabled: followed !== null,
    ...(followed?.created && { initialData: followed.created }),
  });
  useLiveJob(followed?.id ?? null);
  const isGone = isMissingJob(error);
  return { job: isGone ? null : (data ?? null), isGone };
}

/** Shows a toast once when the job completes or fails; not if it was canceled or had already ended when loaded. */
function useEndToast(job: Job | null) {
  const toast = useToast();
  const { download } = useDownloadZip();
  const running = useRef<string | null>(null);
  const { id, status } = job ?? {};
  useEffect(() => {
    if (!job) return;
    if (!isFinal(job.status)) {
      running.current = job.id;
      return;
    }
    if (running.current !== job.id) return;
    running.current = null;
    if (job.status === "Completed") {
      toast.show({
        title: "Processing Complete!",
        description: job.error_message ?? `The files for "${job.job_name}" are ready.`,
        variant: "success",
        action: job.download_url === null ? undefined : { label: "Download", onClick: () => download(job.id) },
      });
    }
    if (job.status === "Failed") {
      toast.show({ title: "Processing failed", description: job.error_message ?? undefined, variant: "destructive" });
    }
    // oxlint-disable-next-line react/exhaustive-deps -- one toast for each end, whatever else of the job changes
  }, [id, status]);
}
