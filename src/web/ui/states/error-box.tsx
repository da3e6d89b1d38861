import { classNames } from "../class-names.ts";
import { tooltipWhenCut } from "../page/tooltip.ts";

/** Clamps to `maxLines`; the tooltip shows the rest. */
export function ErrorBox({ text, maxLines }: { text: string; maxLines?: 2 }) {
  return (
    <div className="rounded-2 bg-failed-tint px-2.5 py-1.5 text-12 text-ink-2" {...tooltipWhenCut(text)}>
      <p className={classNames("wrap-anywhere", maxLines && "line-clamp-2")}>
        <b className="font-semibold text-failed">Error:</b> {text}
      </p>
    </div>
  );
}
