import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Pane } from "../../ui/pane.tsx";

export function SettingsPage() {
  return (
    <Pane>
      <PageHead title="Settings" />
      <EmptyState title="Settings" text="This screen is not part of this version yet." />
    </Pane>
  );
}
