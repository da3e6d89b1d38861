import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Icon } from "../../ui/page/icon.tsx";

export function SignInError({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div role="alert" className="grid grid-cols-[14px_minmax(0,1fr)] gap-x-1.5 gap-y-1 text-12 text-failed">
      <Icon icon={CircleAlert} size={14} className="mt-px" />
      <p className="wrap-anywhere">{text}</p>
      {children && <div className="col-start-2">{children}</div>}
    </div>
  );
}

export function TextButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      className="w-fit rounded-1 text-left font-medium text-ink-2 underline decoration-line-strong underline-offset-4 transition-colors hover:text-ink max-desk:min-h-11"
      onClick={onClick}
    >
      {children}
    </button>
  );
}
