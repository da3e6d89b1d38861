import { CircleAlert, CircleCheck } from "lucide-react";
import { useEffect, useRef } from "react";
import type { TestConnectionResponse } from "#contract/connections/connections.ts";
import { CallError, UNREACHABLE } from "../../../api/functions/call-error.ts";
import { classNames } from "../../../ui/class-names.ts";
import { Icon } from "../../../ui/page/icon.tsx";

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
