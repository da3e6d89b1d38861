import { useId, useRef, type KeyboardEvent, type ReactNode } from "react";

type Tab<Value extends string> = { value: Value; label: string; count?: number | undefined };

const STEPS: Record<string, (at: number, last: number) => number> = {
  ArrowRight: (at, last) => (at === last ? 0 : at + 1),
  ArrowLeft: (at, last) => (at === 0 ? last : at - 1),
  Home: () => 0,
  End: (_at, last) => last,
};

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
      <div ref={list} role="tablist" aria-label={label} className="flex gap-5 border-b border-line px-6 max-desk:px-4">
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            className="relative h-9 rounded-1 font-medium text-ink-3 transition-colors after:absolute after:inset-x-0 after:-bottom-px after:h-0.5 hover:text-ink aria-selected:text-ink aria-selected:after:bg-ink max-desk:h-11"
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
