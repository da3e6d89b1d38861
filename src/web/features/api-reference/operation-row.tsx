import { ChevronDown } from "lucide-react";
import type { ApiDocument, Operation } from "../../api/api-document.ts";
import { Icon } from "../../ui/page/icon.tsx";
import { CodeText } from "./code-text.tsx";
import { SchemaFields } from "./schema-fields.tsx";
import { typeText } from "./type-text.ts";

export type Listed = { path: string; method: string; operation: Operation };

export function OperationRow({ document, path, method, operation }: Listed & { document: ApiDocument }) {
  const { summary, description, parameters = [], "x-calls": calls } = operation;
  return (
    <details className="group border-t border-line">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-3 px-6 py-2 hover:bg-slat max-desk:px-4 [&::-webkit-details-marker]:hidden">
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap gap-x-2">
            <span className="raw text-ink-3">{method.toUpperCase()}</span>
            <span className="raw wrap-anywhere text-ink">{path}</span>
          </div>
          <div>
            <CodeText text={summary} />
          </div>
        </div>
        <Icon icon={ChevronDown} className="shrink-0 text-ink-3 group-open:rotate-180" />
      </summary>
      <div className="grid gap-6 px-6 pb-6 max-desk:px-4">
        {!calls && description !== undefined && (
          <p className="max-w-[72ch]">
            <CodeText text={description} />
          </p>
        )}
        {!calls && <Scope scope={String(operation["x-scope"] ?? "none")} />}
        {!calls && parameters.length > 0 && <Parameters parameters={parameters} />}
        {calls?.map((call) => (
          <section key={call.name} className="grid gap-3">
            <div>
              <h3 className="text-14 font-semibold text-ink">{call.name}</h3>
              <p>
                <CodeText text={call.summary} />
              </p>
              <Scope scope={call.scope} isRepeatable={call.isRepeatable} />
            </div>
            <div className="grid gap-4 wide:grid-cols-2 wide:gap-8">
              <SchemaFields document={document} of={call.request} label="Request" />
              <SchemaFields document={document} of={call.response} label="Response" />
            </div>
          </section>
        ))}
      </div>
    </details>
  );
}

function Scope({ scope, isRepeatable = false }: { scope: string; isRepeatable?: boolean }) {
  const names: Record<string, string> = { session: "a signed-in session", any: "any token", none: "a signed link" };
  return (
    <p className="text-12 text-ink-3">
      Requires {names[scope] ?? <span className="raw">{scope}</span>}
      {isRepeatable && " · accepts Idempotency-Key"}
    </p>
  );
}

function Parameters({ parameters }: { parameters: NonNullable<Operation["parameters"]> }) {
  return (
    <dl className="grid gap-x-8 wide:grid-cols-2">
      {parameters.map(({ name, in: place, description, schema }) => (
        <div key={`${place} ${name}`} className="border-t border-line py-1.5">
          <dt className="flex flex-wrap gap-x-2">
            <span className="raw text-ink">{name}</span>
            <span className="text-12 text-ink-3">
              {place} · {typeText(schema)}
            </span>
          </dt>
          {description !== undefined && (
            <dd className="text-12">
              <CodeText text={description} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}
