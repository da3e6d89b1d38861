import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Pane } from "../../ui/pane.tsx";

export function WarmupRobotPage() {
  return (
    <Pane>
      <PageHead title="Warmup Robot" />
      <EmptyState title="Warmup Robot" text="This screen is not part of this version yet." />
    </Pane>
  );
}
