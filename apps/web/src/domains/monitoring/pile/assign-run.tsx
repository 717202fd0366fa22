import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { assignPileRun, listPiles } from '@zhugong/contract/monitoring/pile/pile-register'
import { findPiles, type PileRow } from '@zhugong/contract/monitoring/pile/piles'
import { z } from 'zod'
import { useAct, useCall } from '#kit/call.ts'
import { FormDrawer, type Values } from '#kit/form.tsx'
import { fieldsOf } from '#kit/form-of.ts'
import { Choice, LongText } from '#kit/inputs.tsx'

/** More piles than any site has. */
const most = 1_000
const body = assignPileRun.schemas.body as z.ZodObject
const schema = body.extend({ pileId: z.string({ error: '请选择桩' }).min(1, '请选择桩') })
const { Field } = fieldsOf<InputFor<typeof assignPileRun>['body'] & { pileId: string }>()

/** Assigns a record to a pile if the rig sent none or the wrong one. */
export function AssignRun({ row, onClose }: { row: PileRow; onClose: () => void }) {
  const { projectCode } = row
  const piles = useCall(listPiles, { query: { projectCode, size: most, sort: 'pileNo' } }, { quiet: true })
  const act = useAct(assignPileRun, { success: '成桩记录已归入', refreshes: [findPiles, listPiles] })
  return (
    <FormDrawer
      open
      narrow
      width={440}
      title="归入桩清单"
      act={act}
      schema={schema}
      initial={{ record: row.key, pileId: row.pileId || undefined }}
      onClose={onClose}
      input={({ pileId, reason }: Values) => ({
        params: { id: String(pileId) },
        query: { projectCode },
        body: { record: row.key, reason: String(reason) },
      })}
    >
      <Field name="pileId" label="桩号" span="all" required help="同一根桩有几次记录时都保留，以最近一次为准">
        <Choice
          loading={piles.isPending}
          options={(piles.data?.list ?? []).map((one) => ({ value: one.id, label: [one.pileNo, one.axis].filter(Boolean).join('　') }))}
        />
      </Field>
      <Field name="reason" label="原因" span="all" required>
        <LongText />
      </Field>
    </FormDrawer>
  )
}
