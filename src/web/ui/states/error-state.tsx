import { CircleAlert, RefreshCw } from "lucide-react";
import { Button } from "../buttons/button.tsx";
import { Icon } from "../page/icon.tsx";

export function ErrorState({
  title,
  text,
  onRetry,
  isRetrying = false,
}: {
  title: string;
  text: string;
  onRetry?: (() => void) | undefined;
  isRetrying?: boolean;
}) {
  return (
    <div role="alert" className="grid justify-items-center gap-0.5 px-6 py-12 text-center">
      <Icon icon={CircleAlert} size={26} className="mb-2 box-content p-[3px] text-failed" />
      <p className="text-14 font-semibold text-ink">{title}</p>
      <p className="text-balance">{text}</p>
      {onRetry && (
        <Button icon={RefreshCw} isBusy={isRetrying} className="mt-4" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
