import { setAccount } from '@zhugong/contract/labour/stays'
import type { StayDetail } from '@zhugong/contract/personnel/worker-model'
import { Input } from 'antd'
import { useAct } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice } from '#kit/inputs.tsx'

const { Field } = formOf(setAccount)

export function AccountDrawer({ id, name, stay, onClose }: { id: string; name: string; stay: StayDetail; onClose: () => void }) {
  const dicts = useDicts('bankCode')
  const act = useAct(setAccount, { success: '工资卡已设置' })
  return (
    <FormDrawer
      open
      narrow
      width={440}
      act={act}
      title="设置工资卡"
      remark={name}
      initial={{ id, payRollBankCode: stay.payRollBankCode, payRollBankName: stay.payRollBankName, bankLinkNumber: stay.bankLinkNumber }}
      onClose={onClose}
    >
      <Field
        name="payRollBankCardNumber"
        label="卡号"
        help={stay.payRollBankCardNumber ? `现为 ${stay.payRollBankCardNumber}` : '本人银行卡，16–19 位'}
      >
        <Input maxLength={23} />
      </Field>
      <Field name="payRollBankCode" label="银行">
        <Choice options={dicts.options('bankCode')} />
      </Field>
      <Field name="payRollBankName" label="开户行">
        <Input maxLength={50} />
      </Field>
      <Field name="bankLinkNumber" label="联行号">
        <Input maxLength={12} />
      </Field>
    </FormDrawer>
  )
}
