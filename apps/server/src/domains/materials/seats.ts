import { materialSeatRights as rights } from '@zhugong/contract/materials/seats'
import type { Row } from '#kit/db'
import type { Seat } from '../process/public.ts'

type Batch = Row<'materialBatch'>
type Sampled = Batch & { samples: readonly { sampleNo: string; at: Date; note: string }[] }

/** The delivery as it is accepted. */
const deliveryContent = ({ projectCode, category, name, spec, brand, supplier, batchNo, quantity, unit, arriveTime }: Batch) => ({
  projectCode,
  category,
  name,
  spec,
  brand,
  supplier,
  batchNo,
  quantity: Number(quantity),
  unit,
  arriveTime,
})

/** The samples as they are witnessed. */
export const sampleContent = (row: Sampled) => ({
  ...deliveryContent(row),
  samples: row.samples.map(({ sampleNo, at, note }) => ({ sampleNo, at, note })),
})

const everywhere = ['0', '1', '2', '3', '4']

/** The keeper, 监理 as whoever accepts, and as witness of the samples. */
export async function materialSeats(row: Sampled): Promise<readonly Seat[]> {
  const content = deliveryContent(row)
  const delivered: Seat[] = [
    {
      seat: 'keeper',
      role: '材料员',
      own: rights.keeper,
      from: everywhere,
      known: { name: row.receiverName, at: row.createTime },
      content,
    },
    // Filled by the acceptance itself.
    { seat: 'supervisor', role: '监理验收', from: [], content },
  ]
  if (row.samples.length === 0) return delivered
  const sampled = sampleContent(row)
  return [
    ...delivered,
    { seat: 'sampler', role: '取样人', own: rights.keeper, from: everywhere, content: sampled },
    { seat: 'witness', role: '见证人（监理）', own: rights.supervisor, tablet: rights.supervisor, from: ['2'], content: sampled },
  ]
}
