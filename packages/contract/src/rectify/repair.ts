import { z } from 'zod'
import { day, filled, nullable, ref, text } from '../kit/fields.ts'

const mostParts = 20
const mostPeople = 20
const mostCertificates = 5

/** Parts that were replaced, with their numbers and certificates. */
export const parts = z
  .array(
    z.object({
      name: filled(50, '部件名称'),
      model: nullable(text(50, '规格型号')),
      number: nullable(text(50, '部件编号')),
      count: z.number().int('数量应为整数').min(1, '数量至少为 1').max(1000, '数量过大').default(1),
      certificates: z.array(text(400, '合格证')).max(mostCertificates, `合格证最多 ${mostCertificates} 份`).default([]),
    }),
  )
  .max(mostParts, `更换部件最多 ${mostParts} 种`)
  .default([])

/** Who did the work: people of the register by id, others by name and certificate. */
export const maintainers = z
  .array(
    z.object({
      workerId: nullable(ref('worker')),
      name: filled(50, '姓名'),
      certNo: nullable(text(50, '证号')),
      certEnd: nullable(day),
    }),
  )
  .max(mostPeople, `人员最多 ${mostPeople} 人`)

/** What the answer to a defect of a machine says beside measure and photographs. */
export const repairInput = z.object({ parts, maintainers: maintainers.default([]) })
export type RepairInput = z.output<typeof repairInput>
export const noRepair: RepairInput = { parts: [], maintainers: [] }
