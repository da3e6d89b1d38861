import { PageHead } from "../../ui/page-head.tsx";
import { Pane } from "../../ui/pane.tsx";

export function DashboardPage() {
  return (
    <Pane>
      <PageHead title="Welcome back" />
    </Pane>
  );
}
