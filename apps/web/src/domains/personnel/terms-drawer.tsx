import type { BatchResult } from '@zhugong/contract/labour/model'
import { setTerms } from '@zhugong/contract/labour/stays'
import { useAct } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, MoneyInput } from '#kit/inputs.tsx'
import { formalOnly, InsuranceField } from './formal-field.tsx'
import { PayQuestion } from './pay-question.tsx'

const { Field } = formOf(setTerms)

interface Terms {
  paymentType?: string | null
  unitPriceCents?: number | null
  hasBuyInsurance?: boolean | null
}

/** 用工信息 of one or more people: pay and insurance. */
export function TermsDrawer({
  people,
  initial = {},
  onClose,
  onDone,
}: {
  people: readonly { id: string; name: string }[]
  /** Current values, if there is one person. */
  initial?: Terms
  onClose: () => void
  onDone: (result: BatchResult) => void
}) {
  const dicts = useDicts('paymentType')
  const act = useAct(setTerms, { success: false, onDone: (r) => onDone(r) })
  return (
    <FormDrawer
      open
      narrow
      width={440}
      act={act}
      title="设置用工信息"
      remark={people.length === 1 ? people[0]?.name : `${people.length} 人`}
      initial={{ ids: people.map((p) => p.id), ...initial }}
      input={(body: BodyOf<typeof setTerms>) => ({ body })}
      onClose={onClose}
    >
      <Field name="paymentType" label="计酬方式" extra={formalOnly} help={people.length > 1 ? '不填的项各人不变' : undefined}>
        <Choice options={dicts.options('paymentType')} />
      </Field>
      <Field name="unitPriceCents" label="工价" help={<PayQuestion payment="paymentType" pay="unitPriceCents" />}>
        <MoneyInput />
      </Field>
      <InsuranceField name="hasBuyInsurance" />
    </FormDrawer>
  )
}
