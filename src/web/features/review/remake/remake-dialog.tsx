import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useMemo, useState } from "react";
import type { Job, JobOutput } from "#contract/jobs/jobs.ts";
import { createJob, readJobVideos } from "../../../api/jobs.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { paths } from "../../../app/routing/paths.ts";
import { jobKeys } from "../../../jobs/cache/job-keys.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { TextAreaField } from "../../../ui/fields/text-area-field.tsx";
import { Select } from "../../../ui/menus/select.tsx";
import { showToast } from "../../../ui/toasts/toast-list.ts";
import { REMAKE_CHANGES, type RemakeChange, remakeRequest, remakeRows } from "./remake-request.ts";

const LABELS: Record<RemakeChange, string> = {
  caption: "Another caption from the job",
  captions: "New captions",
  track: "Another track from the job",
  part: "Another part of the video",
  none: "Nothing",
};

export default function RemakeDialog({
  job,
  rejected,
  onClose,
}: {
  job: Job;
  rejected: readonly JobOutput[];
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const videos = useQuery({ queryKey: jobKeys.videos(job.id), queryFn: () => readJobVideos(job.id) });
  const [change, setChange] = useState<RemakeChange>("caption");
  const [text, setText] = useState("");
  const rows = useMemo(() => {
    const captions = text.split("\n").flatMap((line) => line.trim() || []);
    return remakeRows(job, videos.data ?? [], rejected, { change, captions });
  }, [job, videos.data, rejected, change, text]);
  const create = useMutation({
    mutationFn: () => createJob(remakeRequest(job, rows)),
    onSuccess: async ({ id }) => {
      onClose();
      showToast({
        title: "Job started",
        description: `${pluralize(rows.length, "file")} will be made again.`,
        variant: "success",
      });
      await navigate({ to: paths.job, params: { jobId: id } });
    },
    onError: (error) =>
      showToast({
        title: (error instanceof CallError && error.title) || "Couldn't start the job",
        description: error.message,
        variant: "destructive",
      }),
  });
  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (rows.length > 0 && !create.isPending) create.mutate();
  }
  const left = rejected.length - rows.length;
  return (
    <Dialog
      isOpen
      title="Make rejected files again"
      text="A new job makes the files again with this job's settings."
      onClose={onClose}
      onSubmit={handleSubmit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={rows.length === 0} isBusy={create.isPending}>
            Start job
          </Button>
        </>
      }
    >
      <div className="grid gap-1.5">
        <span className="font-medium text-ink">Change</span>
        <Select
          label="Change"
          value={change}
          options={REMAKE_CHANGES.map((value) => ({ value, label: LABELS[value] }))}
          onChange={setChange}
        />
      </div>
      {change === "captions" && (
        <TextAreaField
          label="New captions"
          hint="One per line. Files use them in turn."
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <output className="text-12 text-ink-3">
        {videos.isPending ? "Loading the videos" : describe(rows.length, left, change)}
        {videos.error && ` Couldn't load the videos: ${videos.error.message}`}
      </output>
    </Dialog>
  );
}

function describe(made: number, left: number, change: RemakeChange): string {
  if (change === "captions" && made === 0) return "Enter at least one caption.";
  const what = `${pluralize(made, "file")} will be made again.`;
  return left === 0 ? what : `${what} ${pluralize(left, "file")} skipped: nothing else to choose from.`;
}
