import { useMutation } from "@tanstack/react-query";
import { Check, CopyPlus, Download, Link, RotateCcw } from "lucide-react";
import type { Job } from "#contract/jobs/jobs.ts";
import { readApproved, readOutputsInOrder } from "../../../api/functions/job-files.ts";
import { paths } from "../../../app/routing/paths.ts";
import { useCopy } from "../../../ui/buttons/use-copy.ts";
import { showToast } from "../../../ui/toasts/toast-list.ts";
import { LinkButton } from "../../../ui/buttons/link-button.tsx";
import { Button } from "../../../ui/buttons/button.tsx";

export function ApprovedActions({ jobId, count, isUnsaved }: { jobId: string; count: number; isUnsaved: boolean }) {
  const { copied, copy } = useCopy();
  const zip = useMutation({
    mutationFn: () => readApproved(jobId),
    onSuccess: ({ download_url: url }) => {
      if (url === null) {
        showToast({ title: "No zip yet", description: "The zip is available when the job is completed." });
        return;
      }
      const link = document.createElement("a");
      link.href = url;
      link.download = "";
      link.click();
    },
    onError: (error) => showFailure("Couldn't download the approved files", error),
  });
  const links = useMutation({
    // Fetch again: links on screen may be older than a day.
    mutationFn: () => readOutputsInOrder(jobId),
    onSuccess: (outputs) => {
      const approved = outputs.filter(({ verdict, media_url: url }) => verdict === "approved" && url !== null);
      copy(approved.map(({ media_url: url }) => new URL(url!, location.href).href).join("\n"));
    },
    onError: (error) => showFailure("Couldn't copy the links", error),
  });
  const isOff = count === 0 || isUnsaved;
  return (
    <section aria-label="Approved files" className="border-t border-line px-5 py-4 max-desk:px-4">
      <h2 className="mb-2 text-13">Approved files</h2>
      <div className="flex flex-wrap gap-2">
        <Button icon={Download} disabled={isOff} isBusy={zip.isPending} onClick={() => zip.mutate()}>
          Download zip
        </Button>
        <Button
          icon={copied === null ? Link : Check}
          disabled={isOff}
          isBusy={links.isPending}
          onClick={() => links.mutate()}
        >
          {copied === null ? "Copy links" : "Copied!"}
        </Button>
      </div>
      <p className="mt-2 text-12 text-ink-3">
        {count === 0
          ? "Approve files to download them or copy their links."
          : "Anyone with a link can play its file for a day."}
      </p>
    </section>
  );
}

function showFailure(title: string, error: Error) {
  showToast({ title, description: error.message, variant: "destructive" });
}

export function RejectedActions({ job, count, onRemake }: { job: Job; count: number; onRemake: () => void }) {
  if (count === 0) return null;
  return (
    <section aria-label="Rejected files" className="border-t border-line px-5 py-4 max-desk:px-4">
      <h2 className="mb-2 text-13">Rejected files</h2>
      {job.slots.length === 0 ? (
        <Button icon={RotateCcw} onClick={onRemake}>
          Make again…
        </Button>
      ) : (
        <>
          <LinkButton icon={CopyPlus} to={paths.createJob} search={{ from: job.id }}>
            Duplicate
          </LinkButton>
          <p className="mt-2 text-12 text-ink-3">Replace clips in a new job. The others are not encoded again.</p>
        </>
      )}
    </section>
  );
}
