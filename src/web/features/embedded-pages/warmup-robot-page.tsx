import { EmbeddedPage } from "./embedded-page.tsx";

export function WarmupRobotPage() {
  return (
    <EmbeddedPage
      page="warmupRobot"
      title="Warmup Robot"
      subtitle="Automate your account warmup and engagement processes"
      setting="WARMUP_ROBOT_URL"
    />
  );
}
