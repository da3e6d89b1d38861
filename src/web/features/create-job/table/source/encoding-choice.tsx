import { useEffect, useId, useRef, useState } from "react";
import type { DecodedTable } from "#contract/table/decode-table.ts";
import { TABLE_ENCODINGS, type TableEncoding } from "#contract/table/encoding/table-encodings.ts";
import { readTable } from "#contract/table/read-table.ts";
import { Button } from "../../../../ui/buttons/button.tsx";
import { Select } from "../../../../ui/menus/select.tsx";
import { ErrorBox } from "../../../../ui/states/error-box.tsx";
import { Skeleton } from "../../../../ui/states/skeleton.tsx";
import type { UndecodedTable } from "./undecoded-table.ts";

const OPTIONS = (Object.entries(TABLE_ENCODINGS) as [TableEncoding, string][])
  .filter(([value]) => !value.startsWith("utf-"))
  .map(([value, label]) => ({ value, label }));

/** Shows the first rows in the chosen encoding. `table` must not change. Nothing is used before the operator confirms it. */
export function EncodingChoice({
  table,
  onText,
}: {
  table: UndecodedTable;
  onText: (text: string, name: string | null) => void;
}) {
  const id = useId();
  const section = useRef<HTMLElement>(null);
  const [encoding, setEncoding] = useState(table.guess);
  const decoded = useDecoded(table, encoding);
  useEffect(() => section.current?.focus(), []);
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      className="grid gap-3 rounded-2 border border-line-strong bg-pane p-4 outline-none"
    >
      <div role="alert" className="grid gap-1">
        <h3 id={`${id}-title`} className="wrap-anywhere">
          {table.name === null ? "Choose the encoding of the sheet" : `Choose the encoding of ${table.name}`}
        </h3>
        <p className="text-12 text-ink-2">
          {table.name === null ? "This sheet is not in UTF-8." : "This file is not in UTF-8."} Choose the encoding that
          shows all letters correctly.
        </p>
      </div>
      <Select label="Encoding" className="w-full" options={OPTIONS} value={encoding} onChange={setEncoding} />
      <output className="grid">
        {decoded === null ? (
          <Skeleton className="h-24" />
        ) : "text" in decoded ? (
          <Preview text={decoded.text} />
        ) : (
          <ErrorBox text={decoded.problem} />
        )}
      </output>
      <div className="justify-self-end">
        <Button
          look="primary"
          disabled={decoded === null || "problem" in decoded}
          onClick={() => decoded && "text" in decoded && onText(decoded.text, table.name)}
        >
          Use this encoding
        </Button>
      </div>
    </section>
  );
}

/** Returns null until the table is decoded. */
function useDecoded({ decode }: UndecodedTable, encoding: TableEncoding): DecodedTable | null {
  const [read, setRead] = useState<{ encoding: TableEncoding; decoded: DecodedTable } | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    void decode(encoding, stop.signal).then((decoded) => stop.signal.aborted || setRead({ encoding, decoded }));
    return () => stop.abort();
  }, [decode, encoding]);
  return read?.encoding === encoding ? read.decoded : null;
}

function Preview({ text }: { text: string }) {
  const { columns, rows } = previewOf(text);
  return (
    <div className="overflow-x-auto rounded-2 border border-line">
      <table aria-label="First rows" className="w-full text-left text-12">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className="border-b border-line px-2.5 py-1.5 font-medium text-ink">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows have no identity
            <tr key={row}>
              {columns.map((column, place) => (
                <td key={column} className="max-w-52 truncate border-b border-line px-2.5 py-1.5 text-ink-2">
                  {cells[place]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const MOST_ROWS = 5;
const MOST_COLUMNS = 8;
/** Holds the first rows of most tables, and is read between two frames. */
const MOST_CHARACTERS = 10_000;

/** Returns the header and the first rows. If only later rows depend on the encoding, returns these. */
function previewOf(text: string): { columns: string[]; rows: string[][] } {
  const { columns, records } = readTable(excerptOf(text));
  return { columns: columns.slice(0, MOST_COLUMNS), rows: records.slice(0, MOST_ROWS) };
}

function excerptOf(text: string): string {
  // oxlint-disable-next-line no-control-regex -- ASCII is the same in every encoding of the list
  const first = text.search(/[^\0-\x7f]/);
  if (first < MOST_CHARACTERS / 2) return text.slice(0, MOST_CHARACTERS);
  const header = text.slice(0, text.search(/[\r\n]/) + 1);
  const line = Math.max(text.lastIndexOf("\n", first), text.lastIndexOf("\r", first)) + 1;
  return `${header}\n${text.slice(line, line + MOST_CHARACTERS)}`;
}
