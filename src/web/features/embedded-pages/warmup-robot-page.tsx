import { EmbeddedPage } from "./embedded-page.tsx";

export function WarmupRobotPage() {
  return (
    <EmbeddedPage
      page="warmupRobot"
      title="Warmup Robot"
      subtitle="Automate your account warmup and engagement processes"
      purpose="Shows the control page of your account warmup tool, so you can start and monitor it next to your jobs."
    />
  );
}
