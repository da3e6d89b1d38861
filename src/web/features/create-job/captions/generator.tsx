import { WandSparkles } from "lucide-react";
import { Suspense, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { Button } from "../../../ui/buttons/button.tsx";
import type { JobForm } from "../draft/job-form.ts";
import type { ChosenSet } from "../sets/use-chosen-set.ts";
import type { SavedSets } from "../draft/use-initial-data.ts";
import { lazyPart } from "../../../ui/page/lazy-part.ts";

const GeneratorSheet = lazyPart(() => import("./generator-sheet.tsx"));

export function Generator(props: { form: UseFormReturn<JobForm>; saved: SavedSets; chosen: ChosenSet }) {
  const { form, saved, chosen } = props;
  const [isOpen, setIsOpen] = useState(false);
  // Stays mounted to animate out.
  const [wasOpened, setWasOpened] = useState(false);

  function open() {
    if (chosen.set) form.setValue("generator.setId", chosen.set.id);
    if (saved.isCurrent && saved.sets.length === 0) form.setValue("generator.mode", "custom");
    setIsOpen(true);
    setWasOpened(true);
  }
  return (
    <>
      <Button look="quiet" icon={WandSparkles} onClick={open}>
        Generate
      </Button>
      <Suspense>{wasOpened && <GeneratorSheet {...props} isOpen={isOpen} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  );
}
