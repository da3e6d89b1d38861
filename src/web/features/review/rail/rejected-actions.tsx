import { RotateCcw } from "lucide-react";
import { Button } from "../../../ui/buttons/button.tsx";

/** Shows nothing without rejected files. */
export function RejectedActions({ count, onRemake }: { count: number; onRemake: () => void }) {
  if (count === 0) return null;
  return (
    <section aria-label="Rejected files" className="border-t border-line px-5 py-4 max-desk:px-4">
      <h2 className="mb-2 text-13">Rejected files</h2>
      <Button icon={RotateCcw} onClick={onRemake}>
        Make again…
      </Button>
    </section>
  );
}
