import { EmptyState } from "../../ui/states/empty-state.tsx";

/** What stands in place of something that cannot be loaded because the browser has no connection. */
export function OfflineState() {
  return <EmptyState title="You are offline" text="This page will load when the connection is back." />;
}
