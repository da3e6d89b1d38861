import { CircleAlert, CircleCheck } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useWatch, type Control } from "react-hook-form";
import type { ServiceKey, TestKeyResponse } from "#contract/settings/settings.ts";
import { CallError, UNREACHABLE } from "../../../api/functions/call-error.ts";
import { testKey } from "../../../api/functions/settings/settings.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { Icon } from "../../../ui/page/icon.tsx";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";

/** Tests the typed key, or the saved one if the field is empty. */
export function KeyTest({
  name,
  control,
  isSaved,
  children,
}: {
  name: ServiceKey;
  control: Control<Record<ServiceKey, string>>;
  isSaved: boolean;
  children: ReactNode;
}) {
  const typed = useWatch({ control, name }).trim();
  const { isBusy, run } = useExclusiveAction();
  const [result, setResult] = useState<(TestKeyResponse & { of: string }) | null>(null);
  // Hides results of another or a removed key.
  const shown = result && result.of === typed && (typed || isSaved) ? result : null;

  async function test() {
    setResult(null);
    setResult({ ...(await requestTest(name, typed)), of: typed });
  }
  return (
    <div className="flex min-h-6 flex-wrap items-center gap-x-2 gap-y-1.5">
      <Button size="sm" disabled={!typed && !isSaved} isBusy={isBusy} onClick={() => void run(test)}>
        Test key
      </Button>
      {children}
      <output className="min-w-0 flex-1 basis-48 text-12">
        {shown && (
          <span className={classNames("flex items-start gap-1.5", shown.isValid ? "text-completed" : "text-failed")}>
            <Icon icon={shown.isValid ? CircleCheck : CircleAlert} size={14} className="mt-px shrink-0" />
            <span className="min-w-0 wrap-anywhere">{shown.message}</span>
          </span>
        )}
      </output>
    </div>
  );
}

async function requestTest(name: ServiceKey, key: string): Promise<TestKeyResponse> {
  try {
    return await testKey(name, key);
  } catch (error) {
    return { isValid: false, message: error instanceof CallError ? error.message : UNREACHABLE };
  }
}
