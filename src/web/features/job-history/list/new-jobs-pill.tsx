import { ArrowUp } from "lucide-react";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { Icon } from "../../../ui/page/icon.tsx";

export function NewJobsPill({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <output className="sticky top-[calc(var(--h-top)+12px)] z-[4] flex h-0 justify-center">
      {count > 0 && (
        <button
          type="button"
          className="tnum inline-flex h-8 items-center gap-1.5 rounded-full border border-line-strong bg-overlay px-3.5 font-medium text-ink shadow-pop transition-colors hover:bg-raised-2 max-desk:h-10"
          onClick={onShow}
        >
          <Icon icon={ArrowUp} size={14} />
          {pluralize(count, "new job")}
        </button>
      )}
    </output>
  );
}
