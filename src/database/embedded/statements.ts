import { parse, type PGlite, protocol, type Results } from "@electric-sql/pglite";
import { parsers as ownParsers } from "../parsers.ts";

/** About 15 kB each. */
const MAX_PREPARED = 100;
const MAX_REMEMBERED = 1_000;
/** Statements with thousands of rows are rarely repeated and have large plans. */
const MAX_PREPARED_CHARACTERS = 16_384;
/**
 * Afterwards a statement is planned again: the embedded database never analyzes its tables, so it would keep a plan
 * made for a table's first rows.
 */
const MAX_USES = 200;
const CHANGES_TABLES = /^\s*(?:alter|create|drop)\s/i;

type Messages = Awaited<ReturnType<PGlite["execProtocolStream"]>>;

type Described = {
  /** "" if the next unnamed statement replaces it. */
  name: string;
  parameterTypes: number[];
  /** PostgreSQL describes the rows only once. */
  head: Messages;
  usesLeft: number;
};

const { serialize } = protocol;

/** Unique in the process: tests open an instance several times. */
let names = 0;

export type Statements = { run<Row>(text: string, values: readonly unknown[]): Promise<Results<Row>> };

/**
 * Runs a statement in two PostgreSQL calls instead of PGlite's six; from its second use, prepared, in one. Parsing and
 * planning cost more than executing most statements. Callers must take turns.
 */
export function createStatements(pglite: PGlite): Statements {
  /** Least recently used first. */
  const prepared = new Map<string, Described>();
  const seen = new Set<string>();
  /** Closed with the next call. */
  const unneeded: string[] = [];
  let parsers: typeof pglite.parsers | null = null;

  const call = (...messages: Uint8Array[]): Promise<Messages> => {
    const closing = unneeded.splice(0).map((name) => serialize.close({ type: "S", name }));
    return pglite.execProtocolStream(Buffer.concat([...closing, ...messages, serialize.sync()]));
  };
  const forget = (text: string): void => {
    const known = prepared.get(text);
    if (!known) return;
    prepared.delete(text);
    unneeded.push(known.name);
  };
  const isRepeated = (text: string): boolean => {
    if (text.length > MAX_PREPARED_CHARACTERS) return false;
    if (seen.has(text)) return true;
    if (seen.size === MAX_REMEMBERED) seen.clear();
    seen.add(text);
    return false;
  };
  const describe = async (text: string): Promise<Described> => {
    const name = isRepeated(text) ? `clipmill_${++names}` : "";
    const messages = await call(serialize.parse({ name, text }), serialize.describe({ type: "S", name }));
    const parameterTypes = parse.parseDescribeStatementResults(messages);
    const head = messages.filter((message) => message.name === "rowDescription");
    return { name, parameterTypes, head, usesLeft: MAX_USES };
  };
  const take = async (text: string): Promise<Described> => {
    const known = prepared.get(text);
    if (known && known.usesLeft > 0) {
      prepared.delete(text);
      prepared.set(text, known);
      return known;
    }
    forget(text);
    const described = await describe(text);
    if (described.name === "") return described;
    prepared.set(text, described);
    if (prepared.size > MAX_PREPARED) forget(prepared.keys().next().value!);
    return described;
  };

  return {
    run: (text, values) =>
      pglite.runExclusive(async () => {
        if (pglite.closed) throw new Error("PGlite is closed");
        parsers ??= { ...pglite.parsers, ...ownParsers };
        try {
          const statement = await take(text);
          statement.usesLeft -= 1;
          const { name, parameterTypes, head } = statement;
          const texts = values.map((value, i) => toText(pglite, value, parameterTypes[i]!));
          const messages = await call(serialize.bind({ statement: name, values: texts }), serialize.execute({}));
          if (CHANGES_TABLES.test(text)) for (const known of prepared.keys()) forget(known);
          return parse.parseResults([...head, ...messages], parsers)[0]! as Results<never>;
        } catch (error) {
          // A change of its tables may have made the plan invalid.
          forget(text);
          throw error;
        }
      }),
  };
}

function toText(pglite: PGlite, value: unknown, type: number): string | null {
  if (value === null || value === undefined) return null;
  const serializer = pglite.serializers[type];
  return serializer ? serializer(value) : `${value as string | number}`;
}
