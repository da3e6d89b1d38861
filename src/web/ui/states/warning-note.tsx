import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";
import { Icon } from "../page/icon.tsx";
import { tooltipWhenCut } from "../page/tooltip.ts";

/** Clamps to `maxLines`; the tooltip shows the rest. `children` follow the text. */
export function WarningNote({ text, maxLines, children }: { text: string; maxLines?: 2; children?: ReactNode }) {
  return (
    <p className="flex items-start gap-1.5 text-12 text-warning" {...tooltipWhenCut(text)}>
      <Icon icon={TriangleAlert} size={14} className="mt-px shrink-0" />
      <span className={classNames("min-w-0 wrap-anywhere", maxLines && "line-clamp-2")}>
        {text}
        {children}
      </span>
    </p>
  );
}
