import { EmbeddedPage } from "./embedded-page.tsx";

export function BatchSchedulerPage() {
  return (
    <EmbeddedPage
      page="batchScheduler"
      title="Batch Scheduler"
      subtitle="Plan when your batches are posted"
      setting="BATCH_SCHEDULER_URL"
    />
  );
}
