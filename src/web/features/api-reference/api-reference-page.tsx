import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { REMEDIES } from "#contract/problems.ts";
import { type ApiDocument, apiDocumentKey, readApiDocument } from "../../api/api-document.ts";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { SearchField } from "../../ui/fields/search-field.tsx";
import { PageHead } from "../../ui/page/page-head.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { CodeText } from "./code-text.tsx";
import { type Listed, OperationRow } from "./operation-row.tsx";

export function ApiReferencePage() {
  const query = useQuery({
    queryKey: apiDocumentKey,
    queryFn: ({ signal }) => readApiDocument(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [search, setSearch] = useState("");
  const version = query.data?.info.version;
  return (
    <Pane>
      <PageHead title="API Reference" subtitle={version === undefined ? undefined : `Clipmill ${version}`}>
        {/* The field fills its container. */}
        <div className="w-64 max-desk:w-full">
          <SearchField label="Search the API" placeholder="Search" value={search} onChange={setSearch} />
        </div>
      </PageHead>
      {query.isPending && (
        <div aria-busy className="grid gap-4 px-6">
          <Skeleton className="h-24" />
          <Skeleton className="h-11" />
          <Skeleton className="h-11" />
        </div>
      )}
      {query.isLoadingError && (
        <ErrorState
          title="Couldn't load the API reference"
          text={query.error.message}
          isRetrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.data && <Reference document={query.data} search={search.trim().toLowerCase()} />}
    </Pane>
  );
}

function Reference({ document, search }: { document: ApiDocument; search: string }) {
  useEffect(() => {
    // The URL of an error's `type` has its code as the hash.
    if (location.hash !== "") window.document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
  const found = listOperations(document).filter((listed) => search === "" || textOf(listed).includes(search));
  const codes = Object.entries(REMEDIES).filter(([code]) => code.includes(search));
  if (found.length + codes.length === 0) {
    return <EmptyState title="Nothing found" text="No operation's path or description matches your search." />;
  }
  return (
    <>
      {search === "" && (
        <>
          <Index names={[...document.tags.map(({ name }) => name), ERROR_CODES]} />
          <About text={document.info.description} />
        </>
      )}
      {document.tags.map(({ name, description }) => {
        const operations = found.filter(({ operation }) => operation.tags.includes(name));
        if (operations.length === 0) return null;
        return (
          <section key={name} aria-labelledby={headingId(name)}>
            <div className="border-t border-line px-6 py-4 max-desk:px-4">
              <h2 id={headingId(name)} className="scroll-mt-20 text-16">
                {name}
              </h2>
              <p className="text-ink-3">{description}</p>
            </div>
            {operations.map((listed) => (
              <OperationRow key={listed.operation.operationId} document={document} {...listed} />
            ))}
          </section>
        );
      })}
      {codes.length > 0 && <Codes codes={codes} />}
    </>
  );
}

const ERROR_CODES = "Error codes";

/** An id has no spaces. */
function headingId(name: string): string {
  return `api-${name.toLowerCase().replaceAll(" ", "-")}`;
}

function Index({ names }: { names: readonly string[] }) {
  return (
    <nav aria-label="Sections" className="px-6 pb-4 max-desk:px-4">
      <ul className="flex flex-wrap gap-x-5">
        {names.map((name) => (
          <li key={name}>
            <a
              href={`#${headingId(name)}`}
              className="inline-flex min-h-7 items-center font-medium text-ink underline decoration-line-strong underline-offset-4 hover:decoration-ink max-desk:min-h-11"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Codes({ codes }: { codes: [code: string, remedy: string][] }) {
  return (
    <section aria-labelledby={headingId(ERROR_CODES)} className="border-t border-line px-6 py-4 max-desk:px-4">
      <h2 id={headingId(ERROR_CODES)} className="scroll-mt-20 text-16">
        {ERROR_CODES}
      </h2>
      <dl className="mt-2 grid">
        {codes.map(([code, remedy]) => (
          <div
            key={code}
            id={code}
            className="grid scroll-mt-20 gap-x-8 border-t border-line py-2 target:bg-slat desk:grid-cols-[200px_1fr]"
          >
            <dt className="raw text-ink">{code}</dt>
            <dd>{remedy}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function listOperations({ paths }: ApiDocument): Listed[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  );
}

function textOf({ path, method, operation }: Listed): string {
  return `${method} ${path} ${operation.summary} ${operation.description ?? ""}`.toLowerCase();
}

const HEADING = /^## (.*)\n/;

function About({ text }: { text: string }) {
  return (
    <div className="px-6 pb-2 max-desk:px-4 wide:columns-2 wide:gap-x-8">
      {text.split("\n\n").map((block) => {
        const heading = HEADING.exec(block)?.[1];
        return (
          <section key={block} className="break-inside-avoid pb-4 first:[column-span:all]">
            {heading !== undefined && <h2 className="text-14 font-semibold text-ink">{heading}</h2>}
            <p className="text-pretty wrap-anywhere">
              <CodeText text={block.replace(HEADING, "")} />
            </p>
          </section>
        );
      })}
    </div>
  );
}
