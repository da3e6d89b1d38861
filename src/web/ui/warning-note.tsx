import { TriangleAlert } from "lucide-react";
import { Icon } from "./icon.tsx";

/** One line that says what a person should look at. */
export function WarningNote({ text }: { text: string }) {
  return (
    <p className="flex items-start gap-1.5 text-12 text-warning">
      <Icon icon={TriangleAlert} size={14} className="mt-px shrink-0" />
      <span className="min-w-0 wrap-anywhere">{text}</span>
    </p>
  );
}
