import { Download, FileUp, Link2 } from "lucide-react";
import { useEffect, useRef, useState, type ClipboardEvent } from "react";
import { TABLE_TEMPLATE } from "#contract/table/template.ts";
import { CallError } from "../../../../api/functions/call-error.ts";
import { loadSheet } from "../../../../api/functions/sources.ts";
import { Button } from "../../../../ui/buttons/button.tsx";
import { TextAreaField } from "../../../../ui/fields/text-area-field.tsx";
import { TextField } from "../../../../ui/fields/text-field.tsx";
import { Icon } from "../../../../ui/page/icon.tsx";
import { ErrorBox } from "../../../../ui/states/error-box.tsx";
import { EncodingChoice } from "./encoding-choice.tsx";
import { readTableFile } from "./read-table-file.ts";
import { explainLoad, undecodedSheet, type UndecodedTable } from "./undecoded-table.ts";

const TEMPLATE_NAME = "clipmill-table.csv";

/** The byte order mark makes Excel read UTF-8. */
const TEMPLATE_HREF = `data:text/csv;charset=utf-8,${encodeURIComponent(`\uFEFF${TABLE_TEMPLATE}`)}`;

export function TableSource({
  problem,
  undecoded,
  onText,
  onProblem,
  onUndecoded,
}: {
  /** Why the last table could not be read. */
  problem: string | null;
  undecoded: UndecodedTable | null;
  /** `name`: the file's, if any. */
  onText: (text: string, name: string | null) => void;
  onProblem: (problem: string | null) => void;
  onUndecoded: (table: UndecodedTable) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [pasted, setPasted] = useState("");
  const [address, setAddress] = useState("");
  const [isLoading, setIsLoading] = useState(false);
  const loading = useRef<AbortController>(null);
  useEffect(() => () => loading.current?.abort(), []);

  async function handleFile(file: File | undefined) {
    if (!file) return;
    const read = await readTableFile(file);
    if ("text" in read) onText(read.text, file.name);
    else if ("undecoded" in read) onUndecoded(read.undecoded);
    else onProblem(read.problem);
  }
  async function handleAddress() {
    onProblem(null);
    setIsLoading(true);
    const { signal } = (loading.current = new AbortController());
    const url = address.trim();
    try {
      onText(await loadSheet({ url, encoding: null }, signal), null);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof CallError && error.code === "unknown_encoding") onUndecoded(undecodedSheet(url));
      else onProblem(explainLoad(error));
    } finally {
      setIsLoading(false);
    }
  }
  function handlePaste(event: ClipboardEvent) {
    const text = event.clipboardData.getData("text/plain");
    if (text.trim() === "" || pasted !== "") return;
    event.preventDefault();
    onText(text, null);
  }
  return (
    <div className="grid flex-1 content-start justify-items-center overflow-auto px-6 pb-6 max-desk:px-4">
      <div className="grid w-full max-w-[640px] gap-6 pt-2">
        {problem !== null && (
          <div role="alert">
            <ErrorBox text={problem} />
          </div>
        )}
        {undecoded && <EncodingChoice key={undecoded.id} table={undecoded} onText={onText} />}
        <section
          aria-label="File"
          className="grid justify-items-center gap-2 rounded-2 border border-dashed border-control px-6 py-8 text-center"
        >
          <Button look="primary" icon={FileUp} onClick={() => input.current?.click()}>
            Choose a CSV or TSV file
          </Button>
          <p className="text-12 text-balance text-ink-3">
            or drop it anywhere on this page. One row per video; the first row names the columns.
          </p>
          <input
            ref={input}
            type="file"
            hidden
            accept=".csv,.tsv,.tab,.txt,text/csv,text/tab-separated-values"
            aria-label="Table file"
            onChange={({ target }) => {
              void handleFile(target.files?.[0]);
              // Allows choosing the same file again.
              target.value = "";
            }}
          />
        </section>
        <div className="grid gap-2">
          <TextAreaField
            label="Paste cells from a spreadsheet"
            rows={3}
            placeholder={"link\tcaption\tsku"}
            hint="Include the header row, which names the columns."
            value={pasted}
            onChange={({ target }) => setPasted(target.value)}
            onPaste={handlePaste}
          />
          {pasted.trim() !== "" && (
            <div className="justify-self-end">
              <Button onClick={() => onText(pasted, null)}>Read this table</Button>
            </div>
          )}
        </div>
        <form
          className="flex items-start gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            event.stopPropagation();
            void handleAddress();
          }}
        >
          <div className="min-w-0 flex-1">
            <TextField
              label="Address of a published sheet"
              type="url"
              autoComplete="off"
              placeholder="https://docs.google.com/spreadsheets/d/e/…/pub?output=csv"
              hint="In Google Sheets, select File, Share, Publish to web, then Comma-separated values."
              value={address}
              onChange={({ target }) => setAddress(target.value)}
            />
          </div>
          <Button type="submit" icon={Link2} isBusy={isLoading} disabled={address.trim() === ""} className="mt-[26px]">
            Load
          </Button>
        </form>
        <p className="flex flex-wrap items-center justify-between gap-2 border-t border-line pt-3 text-12 text-ink-3">
          New to tables? Start from an example with the most common columns.
          <a
            href={TEMPLATE_HREF}
            download={TEMPLATE_NAME}
            className="inline-flex min-h-8 items-center gap-1.5 font-medium text-ink-2 underline-offset-2 hover:underline"
          >
            <Icon icon={Download} size={14} />
            Download a template
          </a>
        </p>
      </div>
    </div>
  );
}
