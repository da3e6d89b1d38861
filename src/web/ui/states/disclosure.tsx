import { ChevronDown } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import { classNames } from "../class-names.ts";
import { Icon } from "../page/icon.tsx";

/** `summary` replaces the content while collapsed. `isSmall` is for parts of a section. */
export function Disclosure({
  title,
  summary,
  isSmall = false,
  children,
}: {
  title: string;
  summary?: ReactNode;
  isSmall?: boolean;
  children: ReactNode;
}) {
  const Heading = isSmall ? "h4" : "h2";
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <div>
      <Heading className={isSmall ? "text-13 font-medium" : "text-16"}>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          className="flex min-h-8 w-full items-center gap-3 rounded-2 text-left text-ink max-desk:min-h-11"
          onClick={() => setIsOpen(!isOpen)}
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
