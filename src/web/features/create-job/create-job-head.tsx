import { Eraser } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { WarningNote } from "../../ui/warning-note.tsx";
import type { JobFormState } from "./use-job-form.ts";

const NOT_KEPT = "This is too much to be kept as a draft: it is lost when the page is closed.";

/** The screen's title, and the way out of a draft. */
export function CreateJobHead({ state: { isFresh, isDraftKept, clearDraft } }: { state: JobFormState }) {
  return (
    <>
      <PageHead title="Create Video Job" subtitle="Transform your videos with captions and audio in 3 simple steps">
        {!isFresh && (
          <Button look="quiet" icon={Eraser} onClick={clearDraft}>
            Clear draft
          </Button>
        )}
      </PageHead>
      {!isDraftKept && (
        <div className="px-6 pb-4 max-desk:px-4">
          <WarningNote text={NOT_KEPT} />
        </div>
      )}
    </>
  );
}
