import { CircleAlert } from "lucide-react";
import { Icon } from "../../ui/icon.tsx";

export function SignInError({ text }: { text: string }) {
  return (
    <p role="alert" className="flex items-start gap-1.5 text-12 text-failed">
      <Icon icon={CircleAlert} size={14} className="mt-px shrink-0" />
      {text}
    </p>
  );
}
