import type { ReactNode } from "react";

export function AccountRow({
  title,
  text,
  action,
  children,
}: {
  title: string;
  text: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="grid gap-3 border-t border-line pt-4 first:border-t-0 first:pt-0">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <h3 className="font-medium text-ink">{title}</h3>
          <div className="wrap-anywhere">{text}</div>
        </div>
        {action}
      </div>
      {children}
    </div>
  );
}
