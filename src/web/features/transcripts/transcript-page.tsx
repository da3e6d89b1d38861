import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import type { WholeTranscript } from "#contract/transcripts/transcripts.ts";
import { CallError } from "../../api/functions/call-error.ts";
import { readTranscript, transcriptKeys } from "../../api/functions/transcripts.ts";
import { paths } from "../../app/routing/paths.ts";
import { isJobId } from "../../jobs/job-address.ts";
import { LinkButton } from "../../ui/buttons/link-button.tsx";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { Icon } from "../../ui/page/icon.tsx";
import { EmptyState, OfflineState } from "../../ui/states/empty-state.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { StatusBadge } from "../../ui/states/status-badge.tsx";
import { TranscriptView } from "./editor/transcript-view.tsx";
import { describeStatus, isUnfinished } from "./status.ts";

const REFRESH_MS = 2_000;

export function TranscriptPage() {
  const { transcriptId } = useParams({ strict: false });
  // Transcripts have UUIDs, as jobs do.
  return isJobId(transcriptId) ? <OfTranscript key={transcriptId} id={transcriptId} /> : <Missing />;
}

function OfTranscript({ id }: { id: string }) {
  const { data, error, isFetching, isPaused, refetch } = useQuery({
    queryKey: transcriptKeys.one(id),
    queryFn: ({ signal }) => readTranscript(id, signal),
    // Once open, the editor loads its own data.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchInterval: ({ state }) => (state.data && isUnfinished(state.data) ? REFRESH_MS : false),
  });
  if (data)
    return data.status === "Completed" ? <TranscriptView transcript={data} /> : <Unfinished transcript={data} />;
  if (error instanceof CallError && error.status === 404) return <Missing />;
  if (error) {
    return (
      <StatePane>
        <ErrorState
          title="Couldn't load this transcript"
          text={error.message}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      </StatePane>
    );
  }
  return <StatePane>{isPaused ? <OfflineState /> : <Loading />}</StatePane>;
}

function Unfinished({ transcript }: { transcript: WholeTranscript }) {
  const { name, status, error_message: message } = transcript;
  return (
    <StatePane title={name}>
      <div className="grid justify-items-center gap-3 px-6 py-12 text-center">
        <StatusBadge {...describeStatus(transcript)} isInline />
        <p className="max-w-[56ch] text-balance wrap-anywhere">
          {message ??
            (status === "Cancelled"
              ? "This transcript was cancelled. Run a job that uses it again."
              : "The transcript will open here when it is finished.")}
        </p>
      </div>
    </StatePane>
  );
}

function Loading() {
  return (
    <div aria-busy className="grid gap-4 p-6 max-desk:p-4">
      <span className="sr-only">Loading</span>
      <Skeleton className="h-6 w-60" />
      {["w-4/5", "w-3/5", "w-2/3", "w-3/4", "w-1/2"].map((width) => (
        <Skeleton key={width} className={`h-5 ${width}`} />
      ))}
    </div>
  );
}

function Missing() {
  return (
    <StatePane>
      <EmptyState
        title="This transcript does not exist."
        text="It may have been deleted, or the address is incomplete."
        action={<LinkButton to={paths.transcripts}>Back to Transcripts</LinkButton>}
      />
    </StatePane>
  );
}

function StatePane({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <Pane>
      {title === undefined ? (
        <h1 className="sr-only">Transcript</h1>
      ) : (
        <div className="px-6 py-4 max-desk:px-4">
          <BackLink />
          <h1 dir="auto" className="text-left text-20 wrap-anywhere">
            {title}
          </h1>
        </div>
      )}
      {children}
    </Pane>
  );
}

function BackLink() {
  return (
    <Link
      to={paths.transcripts}
      className="inline-flex items-center gap-1.5 rounded-1 text-12 text-ink-3 transition-colors hover:text-ink max-desk:-my-2 max-desk:min-h-11"
    >
      <Icon icon={ArrowLeft} size={14} />
      Transcripts
    </Link>
  );
}
