/** Ordered, because most browsers also name others. */
const BROWSERS: [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\/|Chromium\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

/** Returns, for example, "Chrome on Linux"; "API client" for other clients. */
export function describeBrowser(userAgent: string | null): string {
  const findName = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const browser = findName(BROWSERS);
  const system = findName(SYSTEMS);
  if (!browser) return "API client";
  return system ? `${browser} on ${system}` : browser;
}
