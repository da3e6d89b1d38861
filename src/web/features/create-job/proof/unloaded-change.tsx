import { Pane } from "../../../ui/dialogs/pane.tsx";
import { ErrorState } from "../../../ui/states/error-state.tsx";
import { Skeleton } from "../../../ui/states/skeleton.tsx";
import { CreateJobHead } from "../create-job-head.tsx";
import { ChangeNote } from "./change-note.tsx";

const NO_DRAFT = { canClear: false, isDraftKept: true, clearDraft: () => {} };

/** `error` is null while the job loads. */
export function UnloadedChange({ jobId, error, onRetry }: { jobId: string; error: Error | null; onRetry: () => void }) {
  return (
    <Pane>
      <CreateJobHead state={NO_DRAFT} />
      <ChangeNote jobId={jobId} />
      {error ? (
        <ErrorState title="Couldn't load this job" text={error.message} onRetry={onRetry} />
      ) : (
        <div aria-busy aria-label="Loading the job" className="grid gap-3 px-6 py-4 max-desk:px-4">
          <Skeleton className="h-6 w-64 max-w-full" />
          <Skeleton className="h-8" />
          <Skeleton className="h-40" />
        </div>
      )}
    </Pane>
  );
}
