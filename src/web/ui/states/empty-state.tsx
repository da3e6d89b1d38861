import type { ReactNode } from "react";
import { Mark } from "../page/mark.tsx";

export function EmptyState({ title, text, action }: { title: string; text: string; action?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-0.5 px-6 py-12 text-center">
      <Mark className="mb-2 size-8 text-control" />
      <p className="text-14 font-semibold text-ink">{title}</p>
      <p className="max-w-[56ch] text-balance">{text}</p>
      {action && <div className="mt-4">{action}</div>}
    </div>
  );
}

export function OfflineState() {
  return <EmptyState title="You are offline" text="This page will load when you're back online." />;
}
