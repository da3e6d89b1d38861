import { PageHead } from "../../ui/page-head.tsx";
import { Pane } from "../../ui/pane.tsx";

export function JobHistoryPage() {
  return (
    <Pane>
      <PageHead title="Job History" />
    </Pane>
  );
}
