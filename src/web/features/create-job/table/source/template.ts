/** A table to start from, with the columns that are used most. */

const ROWS = [
  ["link", "name", "caption", "caption_2", "track", "start_seconds", "end_seconds", "watermark", "format", "sku"],
  [
    "https://drive.google.com/file/d/FILE_ID/view",
    "Summer dress",
    "New in: the summer dress",
    "Made for hot days",
    "",
    "0",
    "0:12",
    "@yourshop",
    "9:16",
    "SKU-1001",
  ],
];

export const TEMPLATE_NAME = "clipmill-table.csv";

/** With a byte order mark, which makes Excel read UTF-8. No cell needs quotation marks. */
export const TEMPLATE_HREF = `data:text/csv;charset=utf-8,${encodeURIComponent(
  `\uFEFF${ROWS.map((cells) => cells.join(",")).join("\r\n")}\r\n`,
)}`;
