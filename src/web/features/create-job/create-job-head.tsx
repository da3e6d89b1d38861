import { Eraser } from "lucide-react";
import { Button } from "../../ui/buttons/button.tsx";
import { PageHead } from "../../ui/page/page-head.tsx";
import { WarningNote } from "../../ui/states/warning-note.tsx";
import type { JobFormState } from "./draft/use-job-form.ts";

const NOT_KEPT = "This form is too large to save as a draft. Closing the page discards it.";

export function CreateJobHead({
  state: { canClear, isDraftKept, clearDraft },
}: {
  state: Pick<JobFormState, "canClear" | "isDraftKept" | "clearDraft">;
}) {
  return (
    <div className="relative">
      <PageHead title="Create Video Job" subtitle="Transform your videos with captions and audio in 3 simple steps">
        {canClear && (
          // Beside the title on phones: its own row would push the form down on the first keystroke.
          <Button
            look="quiet"
            icon={Eraser}
            className="max-desk:absolute max-desk:top-2 max-desk:right-1"
            onClick={clearDraft}
          >
            Clear draft
          </Button>
        )}
      </PageHead>
      {!isDraftKept && (
        <div className="px-6 pb-4 max-desk:px-4">
          <WarningNote text={NOT_KEPT} />
        </div>
      )}
    </div>
  );
}
