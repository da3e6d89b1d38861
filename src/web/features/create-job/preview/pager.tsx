import { ChevronLeft, ChevronRight } from "lucide-react";
import { classNames } from "../../../ui/class-names.ts";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import type { Steps } from "./use-preview.ts";

export function Pager({
  noun,
  steps: { index, count, goTo },
  none,
  className,
}: {
  noun: "caption" | "video";
  steps: Steps;
  /** Replaces the number. */
  none?: string | undefined;
  className?: string;
}) {
  const name = noun === "caption" ? "Caption" : "Video";
  const step = (by: number) => goTo((index + by + count) % count);
  const isAlone = count < 2;
  return (
    <div
      className={classNames(
        "flex min-h-7 items-center justify-between text-12 text-ink-2 max-desk:min-h-10",
        className,
      )}
    >
      {!isAlone && <IconButton icon={ChevronLeft} label={`Previous ${noun}`} onClick={() => step(-1)} />}
      <span aria-live="polite" className="tnum flex-1 text-center">
        {none ?? `${name} ${(index + 1).toLocaleString("en")}${isAlone ? "" : ` of ${count.toLocaleString("en")}`}`}
      </span>
      {!isAlone && <IconButton icon={ChevronRight} label={`Next ${noun}`} onClick={() => step(1)} />}
    </div>
  );
}
