import { ChevronDown } from "lucide-react";
import { useId, useRef, useState, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { classNames } from "../class-names.ts";
import { Icon } from "../page/icon.tsx";

/** `summary` replaces the content while collapsed. Headings of `level` 3 and 4 are small, for parts of a section. */
export function Disclosure({
  title,
  summary,
  level = 2,
  children,
}: {
  title: string;
  summary?: ReactNode;
  level?: 2 | 3 | 4;
  children: ReactNode;
}) {
  const Heading = `h${level}` as const;
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const part = useRef<HTMLDivElement>(null);

  /** Below the end of the screen, it would seem that nothing opens. */
  function handleClick() {
    flushSync(() => setIsOpen(!isOpen));
    const { bottom = 0, top = 0 } = part.current?.getBoundingClientRect() ?? {};
    const isFarDown = top > window.innerHeight / 2 && bottom > window.innerHeight;
    if (!isOpen && isFarDown) part.current?.scrollIntoView({ block: "start" });
  }
  return (
    <div ref={part} className="scroll-mt-[calc(var(--h-top)+16px)]">
      <Heading className={level > 2 ? "text-13 font-medium" : "text-16"}>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          className="flex min-h-8 w-full items-center gap-3 rounded-2 text-left text-ink max-desk:min-h-11"
          onClick={handleClick}
        >
          <span className="shrink-0">{title}</span>
          <span className="ml-auto min-w-0 truncate text-12 font-normal tracking-normal text-ink-3">
            {!isOpen && summary}
          </span>
          <Icon
            icon={ChevronDown}
            className={classNames("shrink-0 text-ink-3 transition-transform duration-(--d-2)", isOpen && "rotate-180")}
          />
        </button>
      </Heading>
      <div id={id} hidden={!isOpen}>
        {children}
      </div>
    </div>
  );
}
