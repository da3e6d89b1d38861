import type { ReactNode } from "react";

export function Step({ number, children }: { number: number; children: ReactNode }) {
  return (
    <section className="relative grid gap-x-3 border-t border-line px-6 py-5 desk:grid-cols-[24px_minmax(0,1fr)] max-desk:px-4 max-desk:pb-6">
      <span aria-hidden className="text-16 font-semibold text-ink-3 max-desk:absolute max-desk:top-5 max-desk:left-4">
        {number}
      </span>
      <div className="min-w-0">{children}</div>
    </section>
  );
}

export function StepTitle({ children }: { children: ReactNode }) {
  return <h2 className="mb-2 text-16 max-desk:pl-[18px]">{children}</h2>;
}
