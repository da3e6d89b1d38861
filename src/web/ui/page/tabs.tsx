import { useId, useRef, type KeyboardEvent, type ReactNode } from "react";

type Tab<Value extends string> = { value: Value; label: string; count?: number | undefined };

const STEPS: Record<string, (at: number, last: number) => number> = {
  ArrowRight: (at, last) => (at === last ? 0 : at + 1),
  ArrowLeft: (at, last) => (at === 0 ? last : at - 1),
  Home: () => 0,
  End: (_at, last) => last,
};

export const tabListClasses =
  "flex gap-5 overflow-x-auto border-b border-line px-6 max-desk:px-4 [scrollbar-width:none]";
/** Of ARIA tabs, and of links in a list of the same look. */
export const tabClasses =
  "relative inline-flex h-9 shrink-0 items-center rounded-1 font-medium text-ink-3 transition-colors after:absolute after:inset-x-0 after:bottom-0 after:h-0.5 hover:text-ink focus-visible:-outline-offset-2 aria-selected:text-ink aria-selected:after:bg-ink aria-[current=page]:text-ink aria-[current=page]:after:bg-ink max-desk:h-11";

export function Tabs<Value extends string>({
  label,
  tabs,
  value,
  onChange,
  children,
}: {
  /** For screen readers. */
  label: string;
  tabs: readonly Tab<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  children: ReactNode;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  function handleKeyDown(event: KeyboardEvent) {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.value === value);
    const next = step(at, tabs.length - 1);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
    onChange(tabs[next]!.value);
  }
  return (
    <>
      <div ref={list} role="tablist" aria-label={label} className={tabListClasses}>
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            className={tabClasses}
            onClick={() => onChange(tab.value)}
            onKeyDown={handleKeyDown}
          >
            {tab.label}
            {tab.count !== undefined && <span className="tnum ml-1 font-normal text-ink-3">{tab.count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} tabIndex={-1} className="outline-none">
        {children}
      </div>
    </>
  );
}
