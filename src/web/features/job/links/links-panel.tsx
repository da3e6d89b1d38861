import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { LINK_DAYS, type JobLinks } from "#contract/links/job-links.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { makeJobLinks, readJobLinks } from "../../../api/functions/job-files.ts";
import { paths } from "../../../app/routing/paths.ts";
import { jobKeys } from "../../../jobs/cache/job-keys.ts";
import { formatCount, pluralize } from "../../../jobs/row/pluralize.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { LinkButton } from "../../../ui/buttons/link-button.tsx";
import { Disclosure } from "../../../ui/states/disclosure.tsx";
import { ErrorState } from "../../../ui/states/error-state.tsx";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { showToast } from "../../../ui/toasts/toast-list.ts";
import { LinkTable } from "./link-table.tsx";
import { sumLinks } from "./sum-links.ts";

/** The redirector reports counts every ten seconds. */
const REFRESH_MS = 30_000;

export default function LinksPanel({ job }: { job: Job }) {
  const client = useQueryClient();
  const { id: jobId, status, updated_at: endedAt } = job;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...jobKeys.links(jobId), endedAt],
    queryFn: ({ signal }) => readJobLinks(jobId, signal),
    refetchInterval: REFRESH_MS,
    enabled: status === "Completed",
  });
  const hasLinks = (data?.links.length ?? 0) > 0;
  useEffect(() => {
    // Files were read before they had links.
    if (hasLinks) void client.invalidateQueries({ queryKey: jobKeys.outputs(jobId) });
  }, [client, jobId, hasLinks]);
  if (status !== "Completed") return null;
  return (
    <div className="border-t border-line px-6 py-3 max-desk:px-4">
      {data && <Notes data={data} jobId={jobId} />}
      <Disclosure title="Links" summary={describe(data, error)}>
        {data && hasLinks && <LinkTable data={data} jobId={jobId} />}
        {data && !hasLinks && <p className="py-3 text-12 text-ink-3">No files in this job have links.</p>}
        {!data && error && (
          <ErrorState
            title="Couldn't load the links"
            text={error.message}
            isRetrying={isFetching}
            onRetry={() => void refetch()}
          />
        )}
      </Disclosure>
    </div>
  );
}

function describe(data: JobLinks | undefined, error: Error | null): string {
  if (!data) return error ? "Couldn't load the links" : "";
  const { clicks, recent } = sumLinks(data.links);
  const total = `${pluralize(data.links.length, "link")}, ${pluralize(clicks, "click")}`;
  return clicks === 0 ? total : `${total}, ${formatCount(recent)} in ${LINK_DAYS} days`;
}

function Notes({ data, jobId }: { data: JobLinks; jobId: string }) {
  return (
    <>
      {data.missing > 0 && <MissingNote data={data} jobId={jobId} />}
      {!data.is_published && data.links.length > 0 && (
        <div className={NOTE}>
          <WarningNote text="These links do not work yet. Publish them in Cloak Manager." />
          <LinkButton size="sm" look="quiet" to={paths.cloakManager}>
            Open Cloak Manager
          </LinkButton>
        </div>
      )}
    </>
  );
}

const NOTE = "flex flex-wrap items-center justify-between gap-x-3 gap-y-1";

function MissingNote({ data: { missing, problem }, jobId }: { data: JobLinks; jobId: string }) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => makeJobLinks(jobId),
    onSuccess: ({ made, problem: why }) => {
      if (made > 0) showToast({ title: `${pluralize(made, "link")} made`, variant: "success" });
      if (why) showToast({ title: "Some files have no link", description: why, variant: "destructive" });
    },
    onError: (error) =>
      showToast({ title: "Couldn't make the links", description: error.message, variant: "destructive" }),
    onSettled: () => client.invalidateQueries({ queryKey: jobKeys.links(jobId) }),
  });
  const files = pluralize(missing, "file has", "files have");
  return (
    <div className={NOTE}>
      <WarningNote text={[`${files} no link.`, problem].filter(Boolean).join(" ")} />
      <Button size="sm" look="quiet" isBusy={isPending} onClick={() => !isPending && mutate()}>
        Make links
      </Button>
    </div>
  );
}
