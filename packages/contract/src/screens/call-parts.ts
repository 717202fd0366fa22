import { z } from 'zod'
import { epoch } from '../telemetry/model.ts'

/** Fields that the wall queries and their responses share. */
export const project = { projectCode: z.string().max(64).optional() }
export const rows = { page: z.coerce.number().int().min(1).max(1).default(1), size: z.coerce.number().int().min(1).max(200).default(50) }

/**
 * Wall responses contain measured numbers and switch states only. Texts of a device are removed because they may be anything, including a
 * driver's name; so are the numbers of drivers.
 */
const ofPerson = /^(driver|worker|person(?!Count)|idCard|card)/i
const measured = z
  .record(z.string(), z.unknown())
  .transform((values) =>
    Object.fromEntries(
      Object.entries(values).filter(([key, value]) => (typeof value === 'number' || typeof value === 'boolean') && !ofPerson.test(key)),
    ),
  )
export const latest = z.object({ time: epoch, receivedAt: epoch, values: measured }).nullable()

export const machine = {
  deviceId: z.string(),
  deviceName: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  intervalSeconds: z.number(),
  online: z.boolean(),
  latest,
  openLevel: z.number().nullable(),
}
