import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Pane } from "../../ui/pane.tsx";

export function CaptionSetsPage() {
  return (
    <Pane>
      <PageHead title="Caption Sets" />
      <EmptyState title="Caption Sets" text="This screen is not part of this version yet." />
    </Pane>
  );
}
