import type { Endpoint, ParsedFor } from '@zhugong/contract/kit/endpoint'
import type { ReactElement, ReactNode } from 'react'
import { type BodyOf, Field, FieldList, type FieldProps, useFieldValue } from './form.tsx'

/** Paths of the fields of a body: `name`, `address.street`, `rows.0.weight`; objects and lists up to three levels deep. */
export type FieldPath<Body, Depth extends 0 | 1 | 2 | 3 = 3> = Depth extends 0
  ? never
  : Body extends readonly (infer Item)[]
    ? `${number}` | `${number}.${FieldPath<Item, Less[Depth]>}`
    : Body extends object
      ? { [K in keyof Body & string]: K | `${K}.${FieldPath<NonNullable<Body[K]>, Less[Depth]>}` }[keyof Body & string]
      : never
type Less = { 0: 0; 1: 0; 2: 1; 3: 2 }

/** Type of the value at a path; for a union of bodies, of those that have the path. */
type ValueAt<Body, Path extends string> = Body extends unknown
  ? Path extends `${infer Head}.${infer Rest}`
    ? Head extends keyof Body
      ? ValueAt<NonNullable<Body[Head]>, Rest>
      : Body extends readonly (infer Item)[]
        ? ValueAt<NonNullable<Item>, Rest>
        : never
    : Path extends keyof Body
      ? Body[Path]
      : Body extends readonly (infer Item)[]
        ? Item
        : never
  : never

/** Type of the value at a path before parsing; if the schema accepts anything (a coerced number), the type after parsing. */
type FieldValue<Given, Parsed, Path extends string> = unknown extends ValueAt<Given, Path> ? ValueAt<Parsed, Path> : ValueAt<Given, Path>

/** Keys of the rows of the list at a path. */
type RowKeys<Body, Path extends string> = NonNullable<ValueAt<Body, Path>> extends readonly (infer Item)[] ? KeysOfEach<Item> : never
type KeysOfEach<Item> = Item extends readonly unknown[] ? `${number}` : Item extends object ? keyof Item & string : never

interface BoundListProps<Parsed, Path extends FieldPath<Parsed>> {
  name: Path
  add: string
  max?: number
  children: (row: {
    index: number
    /** The path of a field of this row. */
    name: <Key extends RowKeys<Parsed, Path>>(key: Key) => `${Path}.${number}.${Key}`
    remove: () => void
  }) => ReactNode
}

interface BoundForm<Given, Parsed> {
  /** `Field` for this body: a name that the body does not have is a compile error. */
  Field(props: Omit<FieldProps, 'name'> & { name: FieldPath<Parsed> }): ReactElement
  /** `FieldList` for a list of this body; its rows name their fields by key. */
  FieldList<Path extends FieldPath<Parsed>>(props: BoundListProps<Parsed, Path>): ReactElement
  /** The current value of a field; undefined while it is empty. */
  useValue<Path extends FieldPath<Parsed>>(name: Path): FieldValue<Given, Parsed, Path> | undefined
}

/** The bodies of several calls, before and after parsing; never for a call without a body. */
type BodiesOf<Calls> = Calls extends unknown ? BodyOf<Calls> : never
type ParsedBodiesOf<Calls> = ParsedFor<Calls> extends infer Parsed ? (Parsed extends { body: infer Body } ? Body : never) : never

/**
 * Typed fields of a call's body. A form that creates and edits an item passes both calls: its fields are those of either body.
 *
 *     const { Field, FieldList, useValue } = formOf(createBrand, updateBrand)
 */
export function formOf<Calls extends readonly Endpoint[]>(
  ..._calls: Calls
): BoundForm<BodiesOf<Calls[number]>, ParsedBodiesOf<Calls[number]>> {
  return bound as unknown as BoundForm<BodiesOf<Calls[number]>, ParsedBodiesOf<Calls[number]>>
}

/** Typed fields of a form whose values are converted to the request body on saving. */
export function fieldsOf<Values>(): BoundForm<Values, Values> {
  return bound as unknown as BoundForm<Values, Values>
}

const bound = { Field, FieldList, useValue: useFieldValue }
