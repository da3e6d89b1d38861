import { useEffect, useRef, useState, type RefObject } from "react";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import type { FailureSubject } from "../failure-report.ts";
import { OutputCard } from "./output-card.tsx";

/** So many files of a video are shown at first, and so many more with each click. */
const FIRST = 40;
const MORE = 200;
/** Cards are made when they come this near. */
const NEAR = "800px";
/** A card with the space below it, and the most that stand side by side: how tall a grid is before it is made. */
const CARD_PX = 144;
const COLUMNS = 4;

/** The files of one video. A job may have ten thousand, so a grid is made when it first comes near the screen. */
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
  const [most, setMost] = useState(FIRST);
  const shown = outputs.slice(0, most);
  const rest = outputs.length - shown.length;
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
      {isNear && rest > 0 && (
        <div className="mt-4">
          <Button onClick={() => setMost(most + MORE)}>Show {Math.min(MORE, rest)} more files</Button>
        </div>
      )}
    </div>
  );
}

/** True once the element has come near the screen. */
function useWasNear(element: RefObject<HTMLElement | null>): boolean {
  const [wasNear, setWasNear] = useState(false);
  useEffect(() => {
    if (wasNear || !element.current) return undefined;
    const observer = new IntersectionObserver((entries) => setWasNear(entries.some((entry) => entry.isIntersecting)), {
      rootMargin: NEAR,
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, wasNear]);
  return wasNear;
}
