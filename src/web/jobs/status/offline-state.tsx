import { EmptyState } from "../../ui/states/empty-state.tsx";

/** Replaces content that cannot load while offline. */
export function OfflineState() {
  return <EmptyState title="You are offline" text="This page will load when you're back online." />;
}
