import { TABLE_TEMPLATE } from "#contract/table/template.ts";

export const TEMPLATE_NAME = "clipmill-table.csv";

/** With a byte order mark, by which Excel recognizes UTF-8. */
export const TEMPLATE_HREF = `data:text/csv;charset=utf-8,${encodeURIComponent(`\uFEFF${TABLE_TEMPLATE}`)}`;
