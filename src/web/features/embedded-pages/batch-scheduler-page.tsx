import { EmbeddedPage } from "./embedded-page.tsx";

export function BatchSchedulerPage() {
  return (
    <EmbeddedPage
      page="batchScheduler"
      title="Batch Scheduler"
      subtitle="Plan when your batches are posted"
      purpose="Shows the page where you plan your posts, such as a shared spreadsheet or a scheduling tool, next to your jobs."
    />
  );
}
