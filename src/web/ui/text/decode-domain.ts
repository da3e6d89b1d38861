/** Domains are stored in punycode (RFC 3492) and shown decoded. */

const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE_POINT = 128;

/** Keeps labels with invalid punycode. */
export function decodeDomain(name: string): string {
  return name
    .split(".")
    .map((label) => (label.startsWith("xn--") ? (decodeLabel(label.slice(4)) ?? label) : label))
    .join(".");
}

/** Decodes only the host. */
export function decodeAddress(address: string): string {
  return address.replace(
    /^(https?:\/\/)([^/?#]+)/,
    (_match, scheme: string, host: string) => scheme + decodeDomain(host),
  );
}

function decodeLabel(text: string): string | null {
  const split = text.lastIndexOf("-");
  const points = Array.from(text.slice(0, Math.max(split, 0)), (character) => character.codePointAt(0)!);
  let codePoint = FIRST_CODE_POINT;
  let place = 0;
  let bias = FIRST_BIAS;
  let at = split + 1;
  if (at === text.length) return null;
  while (at < text.length) {
    const start = place;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const digit = digitOf(text[at]);
      at += 1;
      if (digit === null) return null;
      place += digit * weight;
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const count = points.length + 1;
    bias = adapt(place - start, count, start === 0);
    codePoint += Math.floor(place / count);
    place %= count;
    if (codePoint > 0x10ffff) return null;
    points.splice(place, 0, codePoint);
    place += 1;
  }
  return String.fromCodePoint(...points);
}

function digitOf(character: string | undefined): number | null {
  if (character === undefined) return null;
  if (/[a-z]/.test(character)) return character.charCodeAt(0) - 97;
  return /\d/.test(character) ? Number(character) + 26 : null;
}

function adapt(delta: number, count: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / count);
  let k = 0;
  while (rest > ((BASE - T_MIN) * T_MAX) / 2) {
    rest = Math.floor(rest / (BASE - T_MIN));
    k += BASE;
  }
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}
