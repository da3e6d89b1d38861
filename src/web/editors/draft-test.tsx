import { CircleAlert, CircleCheck } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { type FieldValues, type UseFormReturn, useWatch } from "react-hook-form";
import type { TestConnectionResponse } from "#contract/connections/connections.ts";
import { CallError, UNREACHABLE } from "../api/functions/call-error.ts";
import { Button } from "../ui/buttons/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { Icon } from "../ui/page/icon.tsx";
import { useExclusiveAction } from "../ui/use-exclusive-action.ts";

/** Tests the typed values of a connection or destination; hides the result when they change. */
export function DraftTest<Form extends FieldValues>({
  label,
  form,
  check,
  test,
  onAccept,
  children,
}: {
  label: string;
  form: UseFormReturn<Form>;
  /** Validates the fields that the test uses. */
  check: () => Promise<boolean>;
  test: (values: Form) => Promise<TestConnectionResponse>;
  /** Takes over values that the test found. */
  onAccept?: (found: Record<string, string>) => void;
  /** More buttons. */
  children?: ReactNode;
}) {
  const values = useWatch({ control: form.control });
  const { isBusy, run } = useExclusiveAction();
  const [last, setLast] = useState<(TestConnectionResponse & { of: string }) | null>(null);
  const result = last?.of === JSON.stringify(values) ? last : null;

  async function testDraft() {
    setLast(null);
    if (!(await check())) return;
    const typed = form.getValues();
    const of = JSON.stringify(typed);
    setLast({ ...(await runTest(() => test(typed))), of });
  }
  return (
    <div className="grid justify-items-start gap-2 border-t border-line pt-4">
      <div className="flex flex-wrap gap-2">
        <Button isBusy={isBusy} onClick={() => void run(testDraft)}>
          {label}
        </Button>
        {children}
      </div>
      <TestResult result={result} />
      {result?.found && onAccept && <Button onClick={() => onAccept(result.found!)}>Accept host key</Button>}
    </div>
  );
}

/** Scrolls to the result and announces it to screen readers. */
export function TestResult({ result }: { result: TestConnectionResponse | null }) {
  const place = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    if (result) place.current?.scrollIntoView({ block: "nearest" });
  }, [result]);
  return (
    <output ref={place} className="block min-w-0 scroll-my-4 text-12 empty:sr-only">
      {result && (
        <span className={classNames("flex items-start gap-1.5", result.isValid ? "text-completed" : "text-failed")}>
          <Icon icon={result.isValid ? CircleCheck : CircleAlert} size={14} className="mt-px shrink-0" />
          <span className="min-w-0 wrap-anywhere">{result.message}</span>
        </span>
      )}
    </output>
  );
}

/** Returns a failed call as a result; never rejects. */
export async function runTest(test: () => Promise<TestConnectionResponse>): Promise<TestConnectionResponse> {
  try {
    return await test();
  } catch (error) {
    return { isValid: false, message: error instanceof CallError ? error.message : UNREACHABLE };
  }
}
