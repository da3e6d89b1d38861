import { ChevronDown, ChevronUp } from "lucide-react";
import { Button } from "./button.tsx";

/** The accessible name combines the label and the subject. */
export function DetailsButton({
  isOpen,
  panelId,
  subject,
  label,
  onToggle,
}: {
  isOpen: boolean;
  panelId: string;
  subject: string;
  label: string;
  onToggle: (isOpen: boolean) => void;
}) {
  return (
    <Button
      look="quiet"
      size="sm"
      icon={isOpen ? ChevronUp : ChevronDown}
      aria-expanded={isOpen}
      aria-controls={panelId}
      aria-label={`${label}: ${subject}`}
      onClick={() => onToggle(!isOpen)}
    >
      {label}
    </Button>
  );
}
