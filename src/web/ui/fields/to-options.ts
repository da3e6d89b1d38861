type Choices = Readonly<Record<string | number, string>>;
/** Of each member of a union. */
type ValueOf<Some> = Some extends Choices ? `${keyof Some & (string | number)}` : never;

/** Makes the options of a field from values and their labels. */
export function toOptions<Some extends Choices>(choices: Some) {
  return Object.entries(choices).map(([value, label]) => ({ value: value as ValueOf<Some>, label }));
}
