import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Pane } from "../../ui/pane.tsx";

export function BatchSchedulerPage() {
  return (
    <Pane>
      <PageHead title="Batch Scheduler" />
      <EmptyState title="Batch Scheduler" text="This screen is not part of this version yet." />
    </Pane>
  );
}
