import { z } from 'zod'

export const partRow = z.object({
  name: z.string(),
  model: z.string().nullable(),
  number: z.string().nullable(),
  count: z.number().int(),
  /** Addresses of the certificates. */
  certificates: z.array(z.string()),
})

export const maintainerRow = z.object({
  name: z.string(),
  certNo: z.string().nullable(),
  certEnd: z.string().nullable(),
  /** The certificate is in the register of people, and was valid on that day; false: it was not; null: the person is not in the register. */
  verified: z.boolean().nullable(),
})

export const maintenanceRow = z.object({
  id: z.string(),
  code: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  machineId: z.string(),
  machineName: z.string(),
  deviceType: z.string(),
  deviceTypeName: z.string(),
  type: z.string(),
  typeName: z.string(),
  maintainDate: z.string(),
  /** HH:mm; null: not given. */
  startTime: z.string().nullable(),
  endTime: z.string().nullable(),
  maintainCorp: z.string(),
  maintainers: z.array(maintainerRow),
  content: z.string(),
  parts: z.array(partRow),
  result: z.string(),
  resultName: z.string(),
  nextDate: z.string().nullable(),
  /** Days past the next maintenance where nothing newer followed; 0 when on time. */
  overdueDays: z.number().int(),
  acceptor: z.string(),
  /** What speaks against the record: the machine was turning, a photograph was used before. */
  doubts: z.array(z.string()),
  /** The record that this one corrects, and the one by which it is corrected. */
  corrects: z.string().nullable(),
  correctedBy: z.string().nullable(),
  /** The notice that it answers. */
  noticeId: z.string().nullable(),
})
export type MaintenanceRow = z.output<typeof maintenanceRow>
