/** Escapes text as a filter option's value: once for the option, once for the graph. */
export function escapeFilterValue(text: string): string {
  return text.replaceAll(/[\\':]/g, "\\$&").replaceAll(/[\\'[\],;]/g, "\\$&");
}
