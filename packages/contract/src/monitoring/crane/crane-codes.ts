/** Kinds of tower crane by the code in the device parameters. */
export const craneTypes = { flatTop: '0', luffing: '1' } as const

/** States of a crane's sensors other than normal operation. */
export const craneSensors = { maintenance: '2' } as const
