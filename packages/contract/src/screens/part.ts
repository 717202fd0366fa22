import { z } from 'zod'
import { ref } from '../kit/fields.ts'
import { screenBody, screenSetting } from './model.ts'

/** Whose wall, where it is not one's own: a site, a company or a body that one answers for. */
export const whoseScreen = {
  projectCode: ref('project').optional(),
  corpCode: ref('corporation').optional(),
  govCode: ref('government').optional(),
}

export const runningTemplate = z.object({
  id: z.string(),
  name: z.string(),
  level: z.number().int(),
  version: z.number().int(),
  body: screenBody,
})
export type RunningTemplate = z.infer<typeof runningTemplate>

/** A group's wall as its settings show it. */
export const screenPart = z.object({
  part: z.literal('screen'),
  value: screenSetting,
  version: z.number().int(),
  updateBy: z.string().nullable(),
  updateTime: z.string().nullable(),
  group: z.object({ id: z.string(), type: z.number().int(), code: z.string(), name: z.string(), sysName: z.string() }),
  /** In force now, and why. */
  inForce: z.object({
    templateId: z.string(),
    name: z.string(),
    source: z.enum(['own', 'inherited', 'default']),
    from: z.string().nullable(),
  }),
  /** What the group may choose among. */
  choices: z.array(runningTemplate.extend({ delivered: z.boolean() })),
  /** Panels whose app the group has not: they cannot be placed. */
  closed: z.array(z.string()),
  /** Districts below, by which rankings name bodies. */
  districts: z.array(z.object({ areaCode: z.string(), name: z.string() })),
  /** Where its projects lie on the average (°): what a map's centre begins with; null where none has a place. */
  middle: z.object({ lng: z.number(), lat: z.number() }).nullable(),
})
export type ScreenPart = z.infer<typeof screenPart>

export const screenBodyPart = z.object({ part: z.literal('screen'), value: screenSetting, version: z.number().int(), ...whoseScreen })
