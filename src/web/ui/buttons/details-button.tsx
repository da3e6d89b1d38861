import { ChevronDown, ChevronUp } from "lucide-react";
import { Button } from "./button.tsx";

/** Opens and closes a panel with details. Its accessible name is the label and what the details are about. */
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
