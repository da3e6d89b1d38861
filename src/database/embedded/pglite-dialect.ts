/**
 * Gives each caller exclusive use of PGlite. In Kysely's own driver, a query can end up in another caller's
 * transaction.
 */
import type { PGlite, Transaction } from "@electric-sql/pglite";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import { giveWay } from "#ground/give-way.ts";
import { createStatements, type Statements } from "./statements.ts";

export function pgliteDialect(pglite: PGlite): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PgliteDriver(pglite),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

class PgliteDriver implements Driver {
  readonly #connection: PgliteConnection;
  #queue: Promise<void> = Promise.resolve();
  #release: () => void = () => {};

  constructor(pglite: PGlite) {
    this.#connection = new PgliteConnection(pglite);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#queue;
    const turn = Promise.withResolvers<void>();
    this.#queue = turn.promise;
    await before;
    this.#release = turn.resolve;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#release();
  }

  beginTransaction(): Promise<void> {
    return this.#connection.begin();
  }

  commitTransaction(): Promise<void> {
    return this.#connection.end("commit");
  }

  rollbackTransaction(): Promise<void> {
    return this.#connection.end("rollback");
  }

  async destroy(): Promise<void> {}
}

class PgliteConnection implements DatabaseConnection {
  readonly #pglite: PGlite;
  readonly #statements: Statements;
  #open: { transaction: Transaction; settle: (outcome: "commit" | "rollback") => void; closed: Promise<void> } | null =
    null;

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
    this.#statements = createStatements(pglite);
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    // A statement runs on this thread, and the statements of a transaction follow each other without a turn.
    await giveWay();
    const result = await this.#statements.run<Row>(query.sql, query.parameters);
    return { rows: result.rows, numAffectedRows: BigInt(result.affectedRows ?? 0) };
  }

  // oxlint-disable-next-line require-yield -- the interface requires a generator
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("The embedded database does not support streaming.");
  }

  /** Exclusive in PGlite, so the queue's statements wait too. */
  async begin(): Promise<void> {
    const outcome = Promise.withResolvers<"commit" | "rollback">();
    const started = Promise.withResolvers<void>();
    const closed = this.#pglite.transaction(async (transaction) => {
      this.#open = { transaction, settle: outcome.resolve, closed };
      started.resolve();
      if ((await outcome.promise) === "rollback") await transaction.rollback();
    });
    closed.catch(started.reject);
    await started.promise;
  }

  async end(outcome: "commit" | "rollback"): Promise<void> {
    const open = this.#open;
    this.#open = null;
    await giveWay();
    open?.settle(outcome);
    await open?.closed;
  }
}
