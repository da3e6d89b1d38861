import { CircleAlert } from "lucide-react";
import { Icon } from "../../ui/icon.tsx";

/** Why a form did not work, where no field is to blame. */
export function FormFailure({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p role="alert" className="flex items-start gap-1.5 text-12 text-failed">
      <Icon icon={CircleAlert} size={14} className="mt-px shrink-0" />
      <span className="min-w-0 wrap-anywhere">{text}</span>
    </p>
  );
}
