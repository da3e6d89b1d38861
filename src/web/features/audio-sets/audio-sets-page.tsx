import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Pane } from "../../ui/pane.tsx";

export function AudioSetsPage() {
  return (
    <Pane>
      <PageHead title="Audio Sets" />
      <EmptyState title="Audio Sets" text="This screen is not part of this version yet." />
    </Pane>
  );
}
