import type { z } from 'zod'

/** An MQTT topic with named segments and the schema of its payload. Segments may not contain `/`, `+` or `#`. */
export interface Topic<Names extends string, Payload> {
  readonly pattern: string
  readonly schema: z.ZodType<Payload>
  /** The concrete topic; a missing name becomes `+`, for subscribing. */
  of(names: Partial<Record<Names, string>>): string
  /** The named segments of a concrete topic; undefined if it does not match. */
  match(topic: string): Record<Names, string> | undefined
}

type NamesOf<P extends string> = P extends `${string}{${infer N}}${infer Rest}` ? N | NamesOf<Rest> : never

export function topic<const P extends string, Payload>(pattern: P, schema: z.ZodType<Payload>): Topic<NamesOf<P>, Payload> {
  const parts = pattern.split('/')
  const nameOf = (part: string) => (part.startsWith('{') ? part.slice(1, -1) : undefined)
  return {
    pattern,
    schema,
    of(names) {
      const given = names as Record<string, string | undefined>
      return parts
        .map((part) => {
          const name = nameOf(part)
          if (!name) return part
          const value = given[name] ?? '+'
          if (value !== '+' && /[/#+]/.test(value)) throw new Error(`not a topic segment: ${value}`)
          return value
        })
        .join('/')
    },
    match(concrete) {
      const given = concrete.split('/')
      if (given.length !== parts.length) return undefined
      const names: Record<string, string> = {}
      for (const [i, part] of parts.entries()) {
        const name = nameOf(part)
        if (name) names[name] = given[i] ?? ''
        else if (part !== given[i]) return undefined
      }
      return names as Record<NamesOf<P>, string>
    },
  }
}
