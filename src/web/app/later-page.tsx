import { EmptyState } from "../ui/empty-state.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Pane } from "../ui/pane.tsx";
import { useRouteTitle } from "./use-route-title.ts";

/** Stands in for a screen that a later version brings. */
export function LaterPage() {
  const title = useRouteTitle();
  return (
    <Pane>
      <PageHead title={title} />
      <div className="border-t border-line pt-12">
        <EmptyState title={title} text="This screen is not part of this version yet." />
      </div>
    </Pane>
  );
}
