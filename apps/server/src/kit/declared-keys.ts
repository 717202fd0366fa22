import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import type { z } from 'zod'

/** Copies a value without the object keys that its schema does not declare. Does not validate. */
type Prune = (value: unknown) => unknown

/** Removes the keys that the response schema does not declare, at every depth. */
export function declared<Out>(call: Endpoint<unknown, unknown, Out>, answer: Out): Out {
  const { response } = call.schemas
  const prune = response && pruneOf(response)
  return prune ? (prune(answer) as Out) : answer
}

type Internals = z.core.$ZodTypes['_zod']['def']

/** Compiled functions by schema; a recursive schema finds its entry here while it is being compiled. */
const compiled = new WeakMap<z.core.$ZodType, { prune: Prune | undefined; done: boolean }>()

/**
 * Compiles a response schema into a function that copies only the declared keys. Undefined when nothing can be removed: scalars,
 * `z.unknown()`, loose objects, and arrays or records of these.
 *
 * This is cheaper than parsing (no validation, no round trip through JSON) and cannot fail in production. A member of a plain union keeps
 * the keys of all members; a discriminated union keeps those of its own member.
 */
export function pruneOf(schema: z.core.$ZodType): Prune | undefined {
  const known = compiled.get(schema)
  // A recursive schema refers to itself before it is compiled: look the function up when a value is pruned.
  if (known) return known.done ? known.prune : (value) => (known.prune ? known.prune(value) : value)
  const entry: { prune: Prune | undefined; done: boolean } = { prune: undefined, done: false }
  compiled.set(schema, entry)
  entry.prune = compile(schema)
  entry.done = true
  return entry.prune
}

function compile(schema: z.core.$ZodType): Prune | undefined {
  const def = schema._zod.def as Internals
  switch (def.type) {
    case 'object':
      return def.catchall ? undefined : pruneKeys(new Map(Object.entries(def.shape).map(([key, one]) => [key, pruneOf(one)])))
    case 'array': {
      const each = pruneOf(def.element)
      return each && ((value) => (Array.isArray(value) ? value.map(each) : value))
    }
    case 'tuple': {
      const items = def.items.map(pruneOf)
      const rest = def.rest ? pruneOf(def.rest) : undefined
      if (!rest && items.every((item) => !item)) return undefined
      return (value) => (Array.isArray(value) ? value.map((one, at) => (at < items.length ? items[at] : rest)?.(one) ?? one) : value)
    }
    case 'record': {
      const each = pruneOf(def.valueType)
      return each && ((value) => (isPlain(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, each(one)])) : value))
    }
    case 'union':
      return pruneUnion(def)
    case 'intersection':
      return pruneAny([def.left, def.right])
    case 'lazy':
      return pruneOf(def.getter())
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return pruneOf(def.innerType)
    case 'pipe':
      return pruneOf(def.in)
    default:
      return undefined
  }
}

function pruneKeys(shape: ReadonlyMap<string, Prune | undefined>): Prune {
  const keys = [...shape]
  return (value) => {
    if (!isPlain(value)) return value
    const kept: Record<string, unknown> = {}
    for (const [key, prune] of keys) {
      const one = value[key]
      if (one !== undefined) kept[key] = prune ? prune(one) : one
    }
    return kept
  }
}

function pruneUnion(def: z.core.$ZodUnionDef & { discriminator?: string }): Prune | undefined {
  const { discriminator } = def
  if (!discriminator) return pruneAny(def.options)
  const members = new Map<unknown, Prune | undefined>()
  for (const option of def.options) {
    for (const name of option._zod.propValues?.[discriminator] ?? []) members.set(name, pruneOf(option))
  }
  return (value) => {
    if (!isPlain(value)) return value
    const prune = members.get(value[discriminator])
    return prune ? prune(value) : value
  }
}

/** Keeps the keys that at least one of the schemas declares: objects and arrays are merged, scalars are not changed. */
function pruneAny(schemas: readonly z.core.$ZodType[]): Prune | undefined {
  const flat = schemas.flatMap(membersOf)
  const objects = flat.flatMap((one) => (one.type === 'object' ? [one] : []))
  const arrays = flat.flatMap((one) => (one.type === 'array' ? [one] : []))
  // An open member accepts any key: nothing may be removed.
  if (flat.some(({ type }) => type === 'any' || type === 'unknown' || type === 'record') || objects.some(({ catchall }) => catchall))
    return undefined
  const named = new Map<string, z.core.$ZodType[]>()
  for (const { shape } of objects) {
    for (const [key, one] of Object.entries(shape)) named.set(key, [...(named.get(key) ?? []), one])
  }
  const inObject = objects.length ? pruneKeys(new Map([...named].map(([key, ones]) => [key, anyOf(ones)]))) : undefined
  const each = arrays.length ? anyOf(arrays.map(({ element }) => element)) : undefined
  if (!inObject && !each) return undefined
  return (value) => (Array.isArray(value) ? (each ? value.map(each) : value) : inObject ? inObject(value) : value)
}

const anyOf = (schemas: readonly z.core.$ZodType[]) => {
  const [only, ...others] = new Set(schemas)
  return only && others.length === 0 ? pruneOf(only) : pruneAny(schemas)
}

/** The definitions in a union of schemas, with wrappers and nested unions resolved. */
function membersOf(schema: z.core.$ZodType): Internals[] {
  const def = schema._zod.def as Internals
  if (def.type === 'union') return def.options.flatMap(membersOf)
  if (def.type === 'intersection') return [def.left, def.right].flatMap(membersOf)
  if (def.type === 'lazy') return membersOf(def.getter())
  if (def.type === 'pipe') return membersOf(def.in)
  if ('innerType' in def) return membersOf(def.innerType)
  return [def]
}

/** Dates and buffers count as scalars whatever their schema, because JSON turns them into scalars. */
const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value)

/**
 * Paths of the keys in a response that its schema does not declare, such as `list[].name`, each once. For tests: production removes these
 * keys.
 */
export function undeclaredKeys(schema: z.core.$ZodType, value: unknown): string[] {
  const sent = JSON.parse(JSON.stringify(value ?? null))
  const found = new Set<string>()
  compare(sent, pruneOf(schema)?.(sent) ?? sent, '', found)
  return [...found]
}

function compare(all: unknown, kept: unknown, path: string, found: Set<string>): void {
  if (Array.isArray(all) && Array.isArray(kept)) {
    for (const [at, one] of all.entries()) compare(one, kept[at], `${path}[]`, found)
  } else if (isPlain(all) && isPlain(kept)) {
    for (const [key, one] of Object.entries(all)) {
      const here = path ? `${path}.${key}` : key
      if (key in kept) compare(one, kept[key], here, found)
      else found.add(here)
    }
  }
}
