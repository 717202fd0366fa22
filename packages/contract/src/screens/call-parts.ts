import { z } from 'zod'
import { epoch } from '../telemetry/model.ts'

/** What questions of walls and their answers have in common. */
export const project = { projectCode: z.string().max(64).optional() }
export const rows = { page: z.coerce.number().int().min(1).max(1).default(1), size: z.coerce.number().int().min(1).max(200).default(50) }

/** What was measured: numbers and switches. Words of a device may be anything, a driver's name too, and a driver's number is nobody's here. */
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
