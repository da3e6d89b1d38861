import { PageHead } from "../../ui/page-head.tsx";
import { Pane } from "../../ui/pane.tsx";

export function CreateJobPage() {
  return (
    <Pane>
      <PageHead title="Create Video Job" subtitle="Transform your videos with captions and audio in 3 simple steps" />
    </Pane>
  );
}
