import { Scissors } from "lucide-react";
import { splitCaptions } from "#contract/sources/links.ts";
import { pluralize, formatCount } from "../../../jobs/row/pluralize.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { splitAllCaptions } from "./split-at-commas.ts";

/** Shown while the text contains commas. `onSplit` also gets the toast's text. */
export function SplitButton({
  text,
  onSplit,
}: {
  text: string;
  onSplit: (split: string, message: { title: string; description: string }) => void;
}) {
  if (!text.includes(",")) return null;
  function handleSplit() {
    const split = splitAllCaptions(text);
    const [before, after] = [splitCaptions(text).length, splitCaptions(split).length];
    onSplit(split, {
      title: "Captions Split",
      description: `${pluralize(before, "line")} became ${formatCount(after)}.`,
    });
  }
  return (
    <div className="-mt-1.5 -ml-2">
      <Button size="sm" look="quiet" icon={Scissors} onClick={handleSplit}>
        Split at commas
      </Button>
    </div>
  );
}
