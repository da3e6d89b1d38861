import { PageHead } from "../../ui/page-head.tsx";
import { Pane } from "../../ui/pane.tsx";

export function JobPage() {
  return (
    <Pane>
      <PageHead title="Job" />
    </Pane>
  );
}
