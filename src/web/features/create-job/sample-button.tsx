import { Button } from "../../ui/buttons/button.tsx";
import { Spinner } from "../../ui/states/spinner.tsx";

/** Renders nothing without samples. */
export function SampleButton({
  label,
  isRendering,
  links,
  onUse,
}: {
  label: string;
  isRendering: boolean;
  links: string[];
  onUse: (links: string[]) => void;
}) {
  if (isRendering) {
    return (
      <output className="inline-flex min-h-6 items-center gap-1.5 text-12 text-ink-3 max-desk:min-h-8">
        <Spinner size={14} />
        The samples are still being prepared
      </output>
    );
  }
  if (links.length === 0) return null;
  return (
    <Button size="sm" look="quiet" onClick={() => onUse(links)}>
      {label}
    </Button>
  );
}
