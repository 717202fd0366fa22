/** Kinds of tower crane as its parameters name them. */
export const craneTypes = { flatTop: '0', luffing: '1' } as const

/** What a crane's sensors say of themselves where it is not simply at work. */
export const craneSensors = { maintenance: '2' } as const
