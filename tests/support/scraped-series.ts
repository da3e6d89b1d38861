/** Compares PromQL expressions with metrics in Prometheus's text format. */

type Series = { name: string; labels: Record<string, string> };

const LABEL = /(\w+)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"/g;
const SELECTOR = /\b((?:clipmill|process|nodejs)_\w+)(?:\{([^}]*)\})?/g;
const GROUPING = /\b(?:by|without|on)\s*\(([^)]*)\)/g;
/** Prometheus adds them. */
const OF_TARGET = new Set(["job", "instance"]);

export function readSeries(scrape: string): Series[] {
  const lines = scrape.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => {
    const [, name, labels = ""] = /^(\w+)(?:\{(.*)\})? /.exec(line)!;
    return {
      name: name!,
      labels: Object.fromEntries([...labels.matchAll(LABEL)].map(([, key, , value]) => [key!, value!])),
    };
  });
}

/** Returns the selectors of an expression that match no series, and the labels that it groups by but none has. */
export function findAbsent(expression: string, series: readonly Series[]): string[] {
  const selectors = [...expression.matchAll(SELECTOR)];
  if (selectors.length === 0) return [`no metric in ${expression}`];
  const matched = selectors.map(([, name, matchers = ""]) =>
    series.filter((one) => one.name === name && fits(one, matchers)),
  );
  const labels = new Set(matched.flat().flatMap((one) => Object.keys(one.labels)));
  const grouped = [...expression.matchAll(GROUPING)].flatMap(([, names]) =>
    names!.split(",").map((name) => name.trim()),
  );
  return [
    ...selectors.filter((_, i) => matched[i]!.length === 0).map(([selector]) => selector),
    ...grouped.filter((label) => label !== "" && !labels.has(label) && !OF_TARGET.has(label)),
  ];
}

function fits({ labels }: Series, matchers: string): boolean {
  return [...matchers.matchAll(LABEL)].every(([, label, operator, value]) => {
    if (OF_TARGET.has(label!)) return true;
    const own = labels[label!] ?? "";
    const isEqual = operator!.endsWith("~") ? new RegExp(`^(?:${value})$`).test(own) : own === value;
    return operator!.startsWith("!") ? !isEqual : isEqual;
  });
}
