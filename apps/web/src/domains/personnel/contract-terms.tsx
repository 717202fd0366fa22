import { signWorkers } from '@zhugong/contract/personnel/batches'
import { fixedTerm, isPaidByOutput } from '@zhugong/contract/personnel/codes'
import { saveContract } from '@zhugong/contract/personnel/papers'
import { Segmented } from 'antd'
import { useDicts } from '#kit/dicts.ts'
import { DependentFields } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, LongText, MoneyInput, NumberInput } from '#kit/inputs.tsx'
import { PayQuestion } from './pay-question.tsx'

const { Field, useValue } = formOf(saveContract, signWorkers)

/** Form fields for the terms of a contract, for one or many people. */
export function ContractTerms({ startHelp }: { startHelp: string }) {
  const dicts = useDicts('contractType', 'paymentType', 'workUnit')
  const period = useValue('contractPeriodType')
  const payment = useValue('paymentType')
  return (
    <>
      <Field name="contractPeriodType" label="期限类型">
        <Choice options={dicts.options('contractType')} />
      </Field>
      <Field name="startDate" label="开始日期" help={startHelp}>
        <DayInput />
      </Field>
      {period === fixedTerm && (
        <Field name="endDate" label="结束日期" required>
          <DayInput />
        </Field>
      )}
      <Field name="paymentType" label="计酬方式">
        <Choice options={dicts.options('paymentType')} />
      </Field>
      {isPaidByOutput(payment) ? (
        <DependentFields why="按件或按量计酬，需要计量单位和单价；改选其他方式，这两项收起。">
          <Field name="unit" label="计量单位" required>
            <Choice options={dicts.options('workUnit')} />
          </Field>
          <Field name="unitPrice" label="单价" required>
            <MoneyInput />
          </Field>
        </DependentFields>
      ) : (
        <Field
          name="salary"
          label="工资标准"
          required={['1', '2', '3'].includes(payment ?? '')}
          help={<PayQuestion payment="paymentType" pay="salary" />}
        >
          <MoneyInput />
        </Field>
      )}
      <Field name="payDay" label="约定发薪日">
        <NumberInput min={1} max={28} unit="日" />
      </Field>
      <Field name="signDate" label="签订日期">
        <DayInput max={day(Date.now())} />
      </Field>
      <Field name="signMode" label="签订方式">
        <Segmented
          options={[
            { value: '1', label: '纸质' },
            { value: '2', label: '电子' },
          ]}
        />
      </Field>
      <Field name="workContent" label="工作内容" span="all">
        <LongText maxLength={200} rows={2} />
      </Field>
    </>
  )
}
