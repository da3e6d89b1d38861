import { TABLE_TEMPLATE } from "#contract/table/template.ts";

export const TEMPLATE_NAME = "clipmill-table.csv";

/** With a byte order mark, from which Excel knows that it is UTF-8. */
export const TEMPLATE_HREF = `data:text/csv;charset=utf-8,${encodeURIComponent(`\uFEFF${TABLE_TEMPLATE}`)}`;
