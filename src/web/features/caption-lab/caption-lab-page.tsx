import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Pane } from "../../ui/pane.tsx";

export function CaptionLabPage() {
  return (
    <Pane>
      <PageHead title="Caption Lab" />
      <EmptyState title="Caption Lab" text="This screen is not part of this version yet." />
    </Pane>
  );
}
