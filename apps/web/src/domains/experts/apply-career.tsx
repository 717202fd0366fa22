import { applyExpert, careerPart } from '@zhugong/contract/experts/apply'
import { type ExpertCert, mostSpecialties } from '@zhugong/contract/experts/model'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { faultsOf, OpenField, useSending } from '#domains/personnel/public.tsx'
import { call } from '#kit/call.ts'
import { Choices, DayInput, LongText } from '#kit/inputs.tsx'
import { StepFoot } from './apply-foot.tsx'
import type { StepProps } from './apply-session.ts'

interface Career {
  specialties: string[]
  resume: string
  achievements: string | null
  certs: ExpertCert[]
}

/** Step 4: specialties, career, certificates. */
export function CareerStep({ session, onSaved, onBack }: StepProps) {
  const { options, draft, ticket } = session
  const [values, setValues] = useState<Career>({
    specialties: [],
    resume: '',
    achievements: null,
    certs: [],
    ...((draft.career ?? {}) as Partial<Career>),
  })
  const { faults, setFaults, busy, send } = useSending()
  const set = (part: Partial<Career>) => setValues({ ...values, ...part })
  const setCert = (at: number, part: Partial<ExpertCert>) =>
    set({ certs: values.certs.map((one, i) => (i === at ? { ...one, ...part } : one)) })
  const save = async () => {
    const found = faultsOf(careerPart, values)
    setFaults(found)
    if (Object.keys(found).length > 0) return
    const answer = await send(() => call(applyExpert, { body: { step: 'save', ticket, library: draft.library ?? '', career: values } }))
    if (answer) onSaved(answer)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <OpenField label={`申报专业（1 至 ${mostSpecialties} 个）`} id="apply-specialties" fault={faults.specialties}>
        <Choices
          id="apply-specialties"
          options={options.specialties}
          value={values.specialties}
          onChange={(next) => set({ specialties: next ?? [] })}
        />
      </OpenField>
      <OpenField label="工作简历" id="apply-resume" fault={faults.resume}>
        <LongText id="apply-resume" rows={5} maxLength={4000} value={values.resume} onChange={(next) => set({ resume: next ?? '' })} />
      </OpenField>
      <OpenField label="业绩成果（选填）" id="apply-achievements" fault={faults.achievements}>
        <LongText
          id="apply-achievements"
          rows={4}
          maxLength={4000}
          value={values.achievements}
          onChange={(next) => set({ achievements: next || null })}
        />
      </OpenField>
      <h2>执业资格（选填）</h2>
      {values.certs.map((one, at) => (
        <div key={at} className="cert">
          <Input
            aria-label={`证书 ${at + 1} 名称`}
            placeholder="证书名称"
            maxLength={100}
            value={one.name}
            onChange={(event) => setCert(at, { name: event.target.value })}
          />
          <Input
            aria-label={`证书 ${at + 1} 编号`}
            placeholder="编号"
            maxLength={50}
            value={one.number}
            onChange={(event) => setCert(at, { number: event.target.value })}
          />
          <DayInput
            aria-label={`证书 ${at + 1} 有效期止`}
            placeholder="有效期止"
            value={one.validEnd}
            onChange={(next) => setCert(at, { validEnd: next ?? null })}
          />
          <Button onClick={() => set({ certs: values.certs.filter((_, i) => i !== at) })} aria-label={`删除证书 ${at + 1}`}>
            删除
          </Button>
        </div>
      ))}
      {faults.certs && <p className="tone-danger">{faults.certs}</p>}
      <Button
        disabled={values.certs.length >= 20}
        onClick={() => set({ certs: [...values.certs, { name: '', number: '', validEnd: null }] })}
      >
        增加证书
      </Button>
      <StepFoot faults={faults} busy={busy} onBack={onBack} />
    </form>
  )
}
