import { applyExpert } from '@zhugong/contract/experts/apply'
import { Button } from 'antd'
import { useSending } from '#domains/personnel/public.tsx'
import { call } from '#kit/call.ts'
import { Notice, Pairs } from '#kit/feedback.tsx'
import type { Session, StepProps } from './apply-session.ts'

/** Step 6: read once more, then submit. */
export function SubmitStep({ session, onSaved, onBack }: StepProps) {
  const { busy, faults, send } = useSending()
  const submit = async () => {
    const answer = await send(() => call(applyExpert, { body: { step: 'submit', ticket: session.ticket } }))
    if (answer) onSaved(answer)
  }
  const problem = Object.values(faults).find(Boolean)
  return (
    <section>
      <ApplySummary session={session} />
      {problem && <Notice tone="danger">{problem}</Notice>}
      <div className="bar">
        <Button size="large" onClick={onBack}>
          上一步
        </Button>
        <Button type="primary" size="large" loading={busy} onClick={() => void submit()}>
          提交申请
        </Button>
      </div>
    </section>
  )
}

/** Everything that was typed. */
export function ApplySummary({ session }: { session: Session }) {
  const { options, draft } = session
  const person = (draft.person ?? {}) as Record<string, string | number | null>
  const career = (draft.career ?? {}) as {
    specialties?: string[]
    resume?: string
    achievements?: string | null
    certs?: { name: string; number: string }[]
  }
  const label = (of: readonly { value: string; label: string }[], value: unknown) => of.find((one) => one.value === value)?.label
  return (
    <Pairs
      items={[
        { label: '专家库', value: label(options.libraries, draft.library) },
        { label: '姓名', value: person.name },
        { label: '身份证号', value: person.idCardNumber },
        { label: '工作单位', value: person.workUnit },
        { label: '职务', value: person.duty },
        { label: '职称', value: `${label(options.titles, person.title) ?? ''}（${person.titleMajor ?? ''}）` },
        { label: '学历', value: [label(options.degrees, person.degree), person.graduateSchool].filter(Boolean).join('，') },
        { label: '专业工作年限', value: person.workYears === undefined ? undefined : `${person.workYears} 年` },
        { label: '申报专业', value: career.specialties?.map((code) => label(options.specialties, code)).join('、') },
        { label: '执业资格', value: career.certs?.map((one) => `${one.name} ${one.number}`).join('；') },
        { label: '工作简历', value: career.resume, wide: true },
        { label: '业绩成果', value: career.achievements, wide: true },
      ]}
    />
  )
}
