/** Encodings that a table's author can name. Labels of the Encoding Standard, in the order of the list on screen. */
export const TABLE_ENCODINGS = {
  "utf-8": "Unicode (UTF-8)",
  "utf-16le": "Unicode (UTF-16, little-endian)",
  "utf-16be": "Unicode (UTF-16, big-endian)",
  "windows-1252": "Western European (Windows-1252)",
  "windows-1250": "Central European (Windows-1250)",
  "windows-1251": "Cyrillic (Windows-1251)",
  shift_jis: "Japanese (Shift JIS, Windows-932)",
  gb18030: "Chinese, simplified (GBK, GB 18030)",
  big5: "Chinese, traditional (Big5)",
  "euc-kr": "Korean (EUC-KR, Windows-949)",
  "windows-1253": "Greek (Windows-1253)",
  "windows-1254": "Turkish (Windows-1254)",
  "windows-1255": "Hebrew (Windows-1255)",
  "windows-1256": "Arabic (Windows-1256)",
  "windows-1257": "Baltic (Windows-1257)",
  "windows-1258": "Vietnamese (Windows-1258)",
  "windows-874": "Thai (Windows-874)",
  "iso-8859-2": "Central European (ISO-8859-2)",
  "iso-8859-3": "South European (ISO-8859-3)",
  "iso-8859-4": "Baltic (ISO-8859-4)",
  "iso-8859-5": "Cyrillic (ISO-8859-5)",
  "iso-8859-6": "Arabic (ISO-8859-6)",
  "iso-8859-7": "Greek (ISO-8859-7)",
  "iso-8859-8": "Hebrew (ISO-8859-8)",
  "iso-8859-10": "Nordic (ISO-8859-10)",
  "iso-8859-13": "Baltic (ISO-8859-13)",
  "iso-8859-14": "Celtic (ISO-8859-14)",
  "iso-8859-15": "Western European (ISO-8859-15)",
  "iso-8859-16": "Romanian (ISO-8859-16)",
  "koi8-r": "Cyrillic (KOI8-R)",
  "koi8-u": "Cyrillic (KOI8-U)",
  ibm866: "Cyrillic (DOS, IBM866)",
  macintosh: "Western European (Macintosh)",
  "x-mac-cyrillic": "Cyrillic (Macintosh)",
  "euc-jp": "Japanese (EUC-JP)",
} as const;

export type TableEncoding = keyof typeof TABLE_ENCODINGS;

/** Windows' names that are not labels of the Encoding Standard. */
const CODE_PAGES: Readonly<Record<string, string>> = {
  cp874: "windows-874",
  cp932: "shift_jis",
  "windows-932": "shift_jis",
  cp936: "gbk",
  "windows-936": "gbk",
  cp949: "euc-kr",
  cp950: "big5",
  "windows-950": "big5",
};

/** Accepts every label of the Encoding Standard (`cp1251`, `latin1`), ignoring case. Returns null for other names. */
export function encodingNamed(name: string): TableEncoding | null {
  const label = name.trim().toLowerCase();
  try {
    const { encoding } = new TextDecoder(CODE_PAGES[label] ?? label);
    // Both have one decoder.
    const found = encoding === "gbk" ? "gb18030" : encoding;
    return Object.hasOwn(TABLE_ENCODINGS, found) ? (found as TableEncoding) : null;
  } catch {
    return null;
  }
}

/** Returns one sentence. */
export function explainEncoding(name: string): string {
  return `"${name.slice(0, 100)}" is not an encoding of tables. Use one of: ${Object.keys(TABLE_ENCODINGS).join(", ")}.`;
}
