import { ChevronDown } from "lucide-react";
import type { ApiDocument, Operation, Schema } from "../../api/api-document.ts";
import { Icon } from "../../ui/page/icon.tsx";
import { CodeText } from "./code-text.tsx";

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

function SchemaFields({ document, of, label }: { document: ApiDocument; of: string; label: string }) {
  const name = of.split("/").at(-1)!;
  const schema = document.components.schemas[name] ?? {};
  const fields = fieldsOf(schema);
  return (
    <div className="min-w-0">
      <h4 className="text-12 font-medium text-ink-3">
        {label} <span className="raw">{name}</span>
      </h4>
      {fields.length === 0 && (
        <p className="mt-1 text-12">{schema.type === "object" ? "No fields." : typeText(schema)}</p>
      )}
      {fields.length > 0 && (
        <dl className="mt-1 grid">
          {fields.map((field) => (
            <div key={`${field.name} ${field.type}`} className="border-t border-line py-1.5 first:border-t-0">
              <dt className="flex flex-wrap gap-x-2">
                <span className="raw text-ink">{field.name}</span>
                {field.isRequired && label === "Request" && <span className="text-12 text-ink-3">required</span>}
              </dt>
              <dd className="raw text-12 wrap-anywhere text-ink-3">{field.type}</dd>
              {field.description !== "" && (
                <dd className="text-12">
                  <CodeText text={field.description} />
                </dd>
              )}
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

/** Returns, for example, `string or null`. */
function typeText(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split("/").at(-1)!;
  const members = schema.anyOf ?? schema.oneOf;
  if (members) return [...new Set(members.map(typeText))].join(" or ");
  if (schema.allOf) return schema.allOf.map(typeText).join(" and ");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(", ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeText({ ...schema, type })).join(" or ");
  if (schema.type === "array") return `list of ${typeText(schema.items ?? {})}`;
  return schema.type ?? "any";
}

type Field = { name: string; type: string; isRequired: boolean; description: string };

/** Includes the fields of combined (`allOf`) schemas. */
function fieldsOf(schema: Schema): Field[] {
  const own = Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    type: typeText(field),
    isRequired: schema.required?.includes(name) ?? false,
    description: field.description ?? "",
  }));
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(fieldsOf);
  return [...new Map([...own, ...parts].map((field) => [`${field.name} ${field.type}`, field])).values()];
}
