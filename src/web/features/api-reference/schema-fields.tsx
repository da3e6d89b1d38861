import type { ApiDocument } from "../../api/api-document.ts";
import { CodeText } from "./code-text.tsx";
import { fieldsOf, typeText } from "./type-text.ts";

export function SchemaFields({ document, of, label }: { document: ApiDocument; of: string; label: string }) {
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
