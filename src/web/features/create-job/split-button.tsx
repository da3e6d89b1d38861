import { Scissors } from "lucide-react";
import { useWatch, type UseFormReturn } from "react-hook-form";
import { splitCaptions } from "#contract/links.ts";
import { splitAllCaptions } from "../../sets/split-at-commas.ts";
import { Button } from "../../ui/button.tsx";
import { countWords } from "../../jobs/count-words.ts";
import type { JobForm } from "./job-form.ts";
import type { ChosenSet } from "./use-chosen-set.ts";

/** Makes a caption of each part between commas; there while any line has one. */
export function SplitButton({ form: { control }, chosen }: { form: UseFormReturn<JobForm>; chosen: ChosenSet }) {
  const text = useWatch({ control, name: "captions" });
  if (!text.includes(",")) return null;
  function handleSplit() {
    const split = splitAllCaptions(text);
    const [before, after] = [splitCaptions(text).length, splitCaptions(split).length];
    chosen.rewrite(split, {
      title: "Captions Split",
      description: `${countWords(before, "line")} became ${countWords(after, "caption")}.`,
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
