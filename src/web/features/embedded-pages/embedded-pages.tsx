import { EmbeddedPage } from "./embedded-page.tsx";

export function BatchSchedulerPage() {
  return (
    <EmbeddedPage
      page="batchScheduler"
      title="Batch Scheduler"
      subtitle="Plan when your batches are posted"
      purpose="This screen shows the page where you plan your posts, such as a shared spreadsheet or a scheduling tool."
    />
  );
}

export function WarmupRobotPage() {
  return (
    <EmbeddedPage
      page="warmupRobot"
      title="Warmup Robot"
      subtitle="Automate your account warmup and engagement processes"
      purpose="This screen shows the control page of your account warmup tool, so you can start and monitor the tool from Clipmill."
    />
  );
}
