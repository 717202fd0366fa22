import { z } from 'zod'
import { nullable, ref } from '../kit/fields.ts'

const fraction = z.number({ error: '请在平面图上重新点选' }).min(0, '位置超出平面图').max(1, '位置超出平面图')

/** A point on a plan: shares of its width from the left and of its height from the top. */
export const pin = z.object({ planId: ref('sitePlan'), x: fraction, y: fraction })
export type Pin = z.output<typeof pin>

/** Where something is: a place of the site's tree and a point on its plan. Beside the words of the part, which remain. */
export const placeFields = { placeId: nullable(ref('sitePlace')), pin: nullable(pin) }

/** The same in answers, with the names from the building down to the place. */
export const placeShown = { placeId: z.string().nullable(), placeName: z.string().nullable(), pin: pin.nullable() }

/** A plan on which points of a record lie. A plan that was replaced stays with its points. */
export const planPicture = z.object({
  id: z.string(),
  /** Name of its place. */
  name: z.string(),
  /** Signed address of the picture. */
  picture: z.string(),
  /** Width divided by height. */
  ratio: z.number(),
})
export type PlanPicture = z.output<typeof planPicture>
