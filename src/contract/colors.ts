// No flags: the API document would lose them.
export const OPAQUE_COLOR = /^#[0-9a-fA-F]{6}$/;
export const TRANSLUCENT_COLOR = /^#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$/;

/** Each from 0 to 1. */
export type Rgb = { red: number; green: number; blue: number };

/** Accepts short forms and a missing `#`; returns null for other text. */
export function readColor(text: string): string | null {
  const digits = text.trim().replace(/^#/, "").toLowerCase();
  const long = digits.length <= 4 ? digits.replaceAll(/./g, "$&$&") : digits;
  return TRANSLUCENT_COLOR.test(`#${long}`) ? `#${long}` : null;
}

export function rgbOf(color: string): Rgb {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  return { red: red!, green: green!, blue: blue! };
}

/** From 0 to 1. */
export function opacityOf(color: string): number {
  return color.length > 7 ? Number.parseInt(color.slice(7), 16) / 255 : 1;
}

/** `opacity` is from 0 to 1. */
export function withOpacity(color: string, opacity: number): string {
  const digits = Math.round(opacity * 255).toString(16);
  return color.slice(0, 7) + digits.padStart(2, "0");
}

/** Returns the contrast ratio of opaque colors (WCAG 2.2), from 1 to 21. */
export function contrastOf(a: Rgb, b: Rgb): number {
  const [darker, lighter] = [luminanceOf(a), luminanceOf(b)].toSorted((x, y) => x - y);
  return (lighter! + 0.05) / (darker! + 0.05);
}

/** The lower contrast of letters to their box, over black or white footage. */
export function contrastOnBox(letters: string, box: string): number {
  const shown = rgbOf(letters);
  return Math.min(...[0, 1].map((footage) => contrastOf(shown, blend(box, footage))));
}

function blend(color: string, gray: number): Rgb {
  const opacity = opacityOf(color);
  const mix = (channel: number) => opacity * channel + (1 - opacity) * gray;
  const { red, green, blue } = rgbOf(color);
  return { red: mix(red), green: mix(green), blue: mix(blue) };
}

function luminanceOf({ red, green, blue }: Rgb): number {
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
}

function toLinear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}
