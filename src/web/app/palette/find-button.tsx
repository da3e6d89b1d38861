import { Search } from "lucide-react";
import { Icon } from "../../ui/page/icon.tsx";
import { PALETTE_KEYS } from "./shortcuts.ts";

export function FindButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      aria-keyshortcuts="Control+K Meta+K"
      className="flex h-[30px] w-[264px] items-center gap-2 rounded-2 border border-line-strong pr-1.5 pl-2.5 text-ink-3 transition-colors hover:text-ink max-wide:w-52 max-desk:size-10 max-desk:justify-center max-desk:border-0 max-desk:p-0"
      onClick={onClick}
    >
      <Icon icon={Search} className="shrink-0" />
      <span className="truncate max-desk:sr-only">Find a job, set or page</span>
      <kbd
        aria-hidden
        className="ml-auto rounded-1 border border-line-strong px-[5px] font-sans text-11 font-medium whitespace-nowrap max-desk:hidden"
      >
        {PALETTE_KEYS}
      </kbd>
    </button>
  );
}
