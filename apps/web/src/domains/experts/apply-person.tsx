import { applyExpert, personPart } from '@zhugong/contract/experts/apply'
import { Input } from 'antd'
import { useState } from 'react'
import { faultsOf, OpenField, useSending } from '#domains/personnel/public.tsx'
import { call } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { Choice, NumberInput } from '#kit/inputs.tsx'
import { StepFoot } from './apply-foot.tsx'
import type { StepProps } from './apply-session.ts'

type Values = Record<string, string | number | null | undefined>

/** Step 3: who applies. Age, title and years are checked here, before anything is uploaded. */
export function PersonStep({ session, onSaved, onBack }: StepProps) {
  const { options, draft, ticket } = session
  const [values, setValues] = useState<Values>((draft.person ?? {}) as Values)
  const [library, setLibrary] = useState(draft.library ?? options.libraries[0]?.value ?? '')
  const { faults, setFaults, busy, send } = useSending()
  const rules = options.libraries.find((one) => one.value === library)
  const set = (name: string, value: string | number | null | undefined) => {
    setValues({ ...values, [name]: value })
    setFaults({ ...faults, [name]: '' })
  }
  const save = async () => {
    const read = personPart.safeParse(values)
    setFaults(faultsOf(personPart, values))
    if (!read.success) return
    const answer = await send(() => call(applyExpert, { body: { step: 'save', ticket, library, person: read.data } }))
    if (answer) onSaved(answer)
  }
  const typed = (name: string, label: string, more: object = {}) => (
    <OpenField label={label} id={`apply-${name}`} fault={faults[name]}>
      <Input id={`apply-${name}`} value={values[name] ?? ''} onChange={(event) => set(name, event.target.value)} {...more} />
    </OpenField>
  )
  const picked = (name: string, label: string, of: readonly { value: string; label: string }[]) => (
    <OpenField label={label} id={`apply-${name}`} fault={faults[name]}>
      <Choice
        id={`apply-${name}`}
        clear={false}
        options={of}
        value={values[name] as string | undefined}
        onChange={(next) => set(name, next)}
      />
    </OpenField>
  )
  if (options.libraries.length === 0) return <Notice tone="warning">现在没有接受网上申请的专家库，请向当地监管机构咨询。</Notice>
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <OpenField label="申报的专家库" id="apply-library" fault={faults.library}>
        <Choice id="apply-library" clear={false} options={options.libraries} value={library} onChange={(next) => setLibrary(next ?? '')} />
      </OpenField>
      {rules && <p className="note">{`须高级及以上职称，专业工作满 ${rules.leastYears} 年，年龄不超过 ${rules.maxAge} 周岁。`}</p>}
      {typed('name', '姓名', { maxLength: 50, autoComplete: 'name' })}
      {typed('idCardNumber', '身份证号', { maxLength: 18, autoComplete: 'off' })}
      {typed('email', '邮箱（选填）', { maxLength: 100, inputMode: 'email' })}
      {typed('workUnit', '工作单位', { maxLength: 200, placeholder: '与营业执照或法人证书名称一致' })}
      {typed('duty', '职务（选填）', { maxLength: 50 })}
      {picked('title', '职称', options.titles)}
      {typed('titleMajor', '职称专业', { maxLength: 50 })}
      {picked('degree', '学历', options.degrees)}
      {typed('graduateSchool', '毕业院校（选填）', { maxLength: 100 })}
      <OpenField label="专业工作年限" id="apply-workYears" fault={faults.workYears}>
        <NumberInput
          id="apply-workYears"
          unit="年"
          min={0}
          max={60}
          value={values.workYears as number | undefined}
          onChange={(next) => set('workYears', next)}
        />
      </OpenField>
      <StepFoot faults={faults} busy={busy} onBack={onBack} />
    </form>
  )
}
