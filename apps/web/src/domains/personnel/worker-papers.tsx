import { fixedTerm, isPaidByOutput } from '@zhugong/contract/personnel/codes'
import { registerWorker } from '@zhugong/contract/personnel/workers'
import { Input } from 'antd'
import { useState } from 'react'
import { useDicts } from '#kit/dicts.ts'
import { FieldGroup, useFormInstance } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, MoneyInput, NumberInput, Upload } from '#kit/inputs.tsx'
import { PayQuestion, StartQuestion } from './pay-question.tsx'

const { Field, useValue } = formOf(registerWorker)

export function AccountGroup() {
  const dicts = useDicts('bankCode')
  const number = useValue('stay.payRollBankCardNumber')
  return (
    <FieldGroup title="工资卡" remark="可稍后补，转正式前必填">
      <Field name="stay.payRollBankCardNumber" label="卡号" help="本人银行卡，户名须与姓名相同">
        <Input maxLength={23} placeholder="16–19 位" />
      </Field>
      <Field name="stay.payRollBankCode" label="银行" required={Boolean(number)}>
        <Choice options={dicts.options('bankCode')} />
      </Field>
      <Field name="stay.payRollBankName" label="开户行" required={Boolean(number)}>
        <Input maxLength={50} />
      </Field>
      <Field name="stay.bankLinkNumber" label="联行号">
        <Input maxLength={12} />
      </Field>
    </FieldGroup>
  )
}

export function ContractGroup() {
  const dicts = useDicts('contractKind', 'contractType', 'workUnit')
  const form = useFormInstance()
  const [open, setOpen] = useState(false)
  const period = useValue('contract.contractPeriodType')
  const payment = useValue('contract.paymentType')
  const toggle = () => {
    const entry = form.getFieldValue(['stay', 'entryTime']) as string
    form.setFieldValue(
      ['contract'],
      open
        ? undefined
        : {
            contractKind: '1',
            contractPeriodType: '1',
            startDate: entry,
            signDate: day(Date.now()),
            paymentType: (form.getFieldValue(['stay', 'paymentType']) as string) ?? '1',
            payDay: 15,
            signMode: '1',
          },
    )
    setOpen(!open)
  }
  return (
    <FieldGroup
      title="合同"
      remark="用工之日起一个月内签订"
      actions={
        <button type="button" className="zg-bare zg-link" onClick={toggle}>
          {open ? '稍后录入' : '现在录入'}
        </button>
      }
    >
      {open ? (
        <>
          <Field name="contract.contractCode" label="合同编号" required>
            <Input maxLength={50} />
          </Field>
          <Field name="contract.contractKind" label="合同类别" required>
            <Choice options={dicts.options('contractKind')} />
          </Field>
          <Field name="contract.contractPeriodType" label="期限类型" required>
            <Choice options={dicts.options('contractType')} />
          </Field>
          <Field name="contract.startDate" label="开始日期" required help={<StartQuestion />}>
            <DayInput />
          </Field>
          {period === fixedTerm && (
            <Field name="contract.endDate" label="结束日期" required>
              <DayInput />
            </Field>
          )}
          {isPaidByOutput(payment) ? (
            <>
              <Field name="contract.unit" label="计量单位" required>
                <Choice options={dicts.options('workUnit')} />
              </Field>
              <Field name="contract.unitPrice" label="单价" required>
                <MoneyInput />
              </Field>
            </>
          ) : (
            <Field
              name="contract.salary"
              label="工资标准"
              required={['1', '2', '3'].includes(payment ?? '')}
              help={<PayQuestion payment="contract.paymentType" pay="contract.salary" />}
            >
              <MoneyInput />
            </Field>
          )}
          <Field name="contract.payDay" label="约定发薪日" required>
            <NumberInput min={1} max={28} unit="日" />
          </Field>
          <Field name="contract.signDate" label="签订日期" required>
            <DayInput max={day(Date.now())} />
          </Field>
          <Field name="contract.files" label="合同附件" span="all">
            <Upload max={6} accept="image/*,application/pdf" />
          </Field>
        </>
      ) : (
        <div className="zg-2 zg-span-all zg-below-12">未录入合同的人员为预登记，不能转正式。</div>
      )}
    </FieldGroup>
  )
}
