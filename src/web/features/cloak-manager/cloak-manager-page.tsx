import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Pane } from "../../ui/pane.tsx";

export function CloakManagerPage() {
  return (
    <Pane>
      <PageHead title="Cloak Manager" />
      <EmptyState title="Cloak Manager" text="This screen is not part of this version yet." />
    </Pane>
  );
}
