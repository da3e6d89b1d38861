/** A template is made again when one of these changes. */
export const SCHEMA_SOURCES = [
  "src/database/migrate.ts",
  "src/database/migrations/*.ts",
  "src/queue/create-queues.ts",
  "src/queue/task-kinds.ts",
  "src/queue/task-table.ts",
  "tests/support/servers/databases/*.ts",
  "package-lock.json",
];
