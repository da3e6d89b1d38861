import type { ReactNode } from "react";

export function TextButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      className="w-fit rounded-1 text-left font-medium text-ink-2 underline decoration-line-strong underline-offset-4 transition-colors hover:text-ink max-desk:min-h-10"
      onClick={onClick}
    >
      {children}
    </button>
  );
}
