/**
 * Property of every `Context`. Only the builders in `kit` may import it (`.dependency-cruiser.cjs`), so that no other file can create one.
 */
export const made: unique symbol = Symbol('made')
