import type { ReactNode } from "react";
import { SetCardSkeleton } from "./set-card.tsx";

const SKELETONS = ["a", "b", "c", "d", "e", "f"];

export function SetGrid({ children }: { children: ReactNode }) {
  return <ul className={GRID}>{children}</ul>;
}

export function SetGridSkeleton({ label }: { label: string }) {
  return (
    <ul aria-busy aria-label={label} className={GRID}>
      {SKELETONS.map((key) => (
        <SetCardSkeleton key={key} />
      ))}
    </ul>
  );
}

const GRID =
  "grid gap-x-2 px-3 pb-3 desk:grid-cols-[repeat(auto-fill,minmax(300px,1fr))] max-desk:grid-cols-1 max-desk:px-0";
