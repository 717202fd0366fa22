import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import type { ReactElement } from 'react'
import { type BodyOf, Field, type FieldProps, useFieldValue } from './form.tsx'

/** Paths of the fields of a body: `name`, `address.street`, `rows.0.weight`; objects and lists up to three levels deep. */
export type FieldPath<Body, Depth extends 0 | 1 | 2 | 3 = 3> = Depth extends 0
  ? never
  : Body extends readonly (infer Item)[]
    ? `${number}` | `${number}.${FieldPath<Item, Less[Depth]>}`
    : Body extends object
      ? { [K in keyof Body & string]: K | `${K}.${FieldPath<NonNullable<Body[K]>, Less[Depth]>}` }[keyof Body & string]
      : never
type Less = { 0: 0; 1: 0; 2: 1; 3: 2 }

/** Type of the value at a path; of several bodies, in those that have the path. */
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

interface BoundForm<Body> {
  /** `Field` for this body alone: a name the body does not have does not compile. */
  Field(props: Omit<FieldProps, 'name'> & { name: FieldPath<Body> }): ReactElement
  /** The present value of a field; undefined while it is empty. */
  useValue<Path extends FieldPath<Body>>(name: Path): ValueAt<Body, Path> | undefined
}

/** The bodies of several calls; none of a call without one. */
type BodiesOf<Calls> = Calls extends unknown ? BodyOf<Calls> : never

/**
 * The fields of a call's body by name. A form that makes and changes a thing takes both calls: its fields are those of either body.
 *
 *     const { Field, useValue } = formOf(createBrand, updateBrand)
 */
export function formOf<Calls extends readonly Endpoint[]>(..._calls: Calls): BoundForm<BodiesOf<Calls[number]>> {
  return { Field, useValue: useFieldValue } as unknown as BoundForm<BodiesOf<Calls[number]>>
}
