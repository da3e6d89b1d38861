/** A text as the value of a filter's option: escaped once for the option and once for the graph around it. */
export function escapeFilterValue(text: string): string {
  return text.replaceAll(/[\\':]/g, "\\$&").replaceAll(/[\\'[\],;]/g, "\\$&");
}
