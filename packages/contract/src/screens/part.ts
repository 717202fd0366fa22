import { z } from 'zod'
import { ref } from '../kit/fields.ts'
import { screenBody, screenSetting } from './model.ts'

/** The group whose wall it is, if not the caller's own: a site, company or government that the caller is responsible for. */
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

/** A group's wall as its settings page shows it. */
export const screenPart = z.object({
  part: z.literal('screen'),
  value: screenSetting,
  version: z.number().int(),
  updateBy: z.string().nullable(),
  updateTime: z.string().nullable(),
  group: z.object({ id: z.string(), type: z.number().int(), code: z.string(), name: z.string(), sysName: z.string() }),
  /** The template in force now, and why. */
  inForce: z.object({
    templateId: z.string(),
    name: z.string(),
    source: z.enum(['own', 'inherited', 'default']),
    from: z.string().nullable(),
  }),
  /** Templates that the group may choose. */
  choices: z.array(runningTemplate.extend({ delivered: z.boolean() })),
  /** Panels whose app the group does not have: they cannot be placed. */
  closed: z.array(z.string()),
  /** Districts below, for the choice of those that rankings name. */
  districts: z.array(z.object({ areaCode: z.string(), name: z.string() })),
  /** Mean position of the group's projects (°), the default centre of the map; null when no project has a position. */
  middle: z.object({ lng: z.number(), lat: z.number() }).nullable(),
})
export type ScreenPart = z.infer<typeof screenPart>

export const screenBodyPart = z.object({ part: z.literal('screen'), value: screenSetting, version: z.number().int(), ...whoseScreen })
