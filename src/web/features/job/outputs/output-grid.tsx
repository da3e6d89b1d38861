import { useEffect, useRef, useState, type RefObject } from "react";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import type { FailureSubject } from "../failure-report.ts";
import { OutputCard } from "./output-card.tsx";

/** Files shown initially; more are added per click. */
const INITIAL_COUNT = 40;
const MORE_COUNT = 200;
const NEAR_MARGIN = "800px";
/** For the estimated height of an unrendered grid: card height including the gap, and cards per row. */
const CARD_PX = 144;
const COLUMNS = 4;

/** Renders near the viewport only: a job may have 10,000 files. */
export function OutputGrid({
  outputs,
  subject,
  onPlay,
}: {
  outputs: readonly JobOutput[];
  subject: FailureSubject;
  onPlay: (output: JobOutput) => void;
}) {
  const grid = useRef<HTMLDivElement>(null);
  const isNear = useWasNear(grid);
  const [limit, setLimit] = useState(INITIAL_COUNT);
  const shown = outputs.slice(0, limit);
  const hiddenCount = outputs.length - shown.length;
  return (
    <div ref={grid} className="mt-2 mb-1 ml-7 max-desk:ml-0">
      {isNear ? (
        <ul className="grid grid-cols-2 gap-4 max-desk:gap-x-3 wide:grid-cols-4">
          {shown.map((output) => (
            <OutputCard key={output.id} output={output} subject={subject} onPlay={onPlay} />
          ))}
        </ul>
      ) : (
        <div style={{ height: Math.ceil(shown.length / COLUMNS) * CARD_PX }} />
      )}
      {isNear && hiddenCount > 0 && (
        <div className="mt-4">
          <Button onClick={() => setLimit(limit + MORE_COUNT)}>
            Show {Math.min(MORE_COUNT, hiddenCount)} more files
          </Button>
        </div>
      )}
    </div>
  );
}

function useWasNear(element: RefObject<HTMLElement | null>): boolean {
  const [wasNear, setWasNear] = useState(false);
  useEffect(() => {
    if (wasNear || !element.current) return undefined;
    const observer = new IntersectionObserver((entries) => setWasNear(entries.some((entry) => entry.isIntersecting)), {
      rootMargin: NEAR_MARGIN,
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, wasNear]);
  return wasNear;
}
