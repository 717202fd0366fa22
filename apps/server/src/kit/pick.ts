/** Copies the named values of an object: columns of a row into an answer, fields of a body into the values of a row. */
export function pick<From extends object, const Key extends keyof From>(from: From, ...keys: readonly Key[]): Pick<From, Key> {
  const copy: Partial<Pick<From, Key>> = {}
  for (const key of keys) copy[key] = from[key]
  return copy as Pick<From, Key>
}
