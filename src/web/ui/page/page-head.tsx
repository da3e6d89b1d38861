import type { ReactNode } from "react";

export function PageHead({
  title,
  subtitle,
  before,
  children,
}: {
  title: ReactNode;
  subtitle?: ReactNode;
  before?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="flex min-h-[72px] items-center gap-2 px-6 py-4 max-desk:flex-wrap max-desk:gap-3 max-desk:px-4">
      <div className="min-w-0 flex-1 max-desk:basis-full">
        {before}
        <h1 className="text-20 wrap-anywhere">{title}</h1>
        {subtitle && <p className="tnum text-ink-3">{subtitle}</p>}
      </div>
      {children}
    </div>
  );
}
