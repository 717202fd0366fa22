/** Leaves out empty parameters. */
export const filledIn = (params: Record<string, unknown> | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params ?? {}).filter(([, v]) => v !== undefined && v !== null && v !== ''))
