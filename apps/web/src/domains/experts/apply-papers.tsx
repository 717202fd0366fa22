import { applyExpert, papersPart, ticketHeader, uploadExpertFile } from '@zhugong/contract/experts/apply'
import { paperNames } from '@zhugong/contract/experts/model'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { OpenField, useSending } from '#domains/personnel/public.tsx'
import { call } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { upload } from '#kit/http.ts'
import { StepFoot } from './apply-foot.tsx'
import type { StepProps } from './apply-session.ts'
import { ApplySummary } from './apply-submit.tsx'

type Paper = keyof typeof paperNames
const hints: Record<Paper, string> = {
  photo: '近期免冠证件照',
  unitOpinion: '打印申请表，单位盖章后拍照或扫描',
  commitments: '本人签字的承诺书',
}

/** Step 5: three papers, each sent at once under the ticket. */
export function PapersStep({ session, onSaved, onBack }: StepProps) {
  const { draft, ticket } = session
  const [papers, setPapers] = useState((draft.papers ?? {}) as Partial<Record<Paper, string>>)
  const [names, setNames] = useState<Partial<Record<Paper, string>>>({})
  const { faults, setFaults, busy, send } = useSending()
  const take = async (paper: Paper, file: File | undefined) => {
    if (!file) return
    const form = new FormData()
    form.append('file', file)
    const stored = await send(() => upload(uploadExpertFile, form, { headers: { [ticketHeader]: ticket } }))
    if (!stored) return
    setPapers((now) => ({ ...now, [paper]: stored.id }))
    setNames((now) => ({ ...now, [paper]: stored.name }))
  }
  const save = async () => {
    const missing = (Object.keys(paperNames) as Paper[]).filter((one) => !papers[one])
    setFaults(Object.fromEntries(missing.map((one) => [one, `请上传${paperNames[one]}`])))
    const read = papersPart.safeParse(papers)
    if (missing.length > 0 || !read.success) return
    const answer = await send(() => call(applyExpert, { body: { step: 'save', ticket, library: draft.library ?? '', papers: read.data } }))
    if (answer) onSaved(answer)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Button onClick={() => window.print()}>打印申请表</Button>
      {(Object.keys(paperNames) as Paper[]).map((paper) => (
        <OpenField key={paper} label={`${paperNames[paper]}（${hints[paper]}）`} fault={faults[paper]}>
          <OneFile
            label={paperNames[paper]}
            pdf={paper !== 'photo'}
            name={names[paper] ?? (papers[paper] ? '已上传' : undefined)}
            busy={busy}
            onFile={(file) => void take(paper, file)}
          />
        </OpenField>
      ))}
      {faults.file && <Notice tone="danger">{faults.file}</Notice>}
      <StepFoot faults={faults} busy={busy} onBack={onBack} />
      <div className="expert-print">
        <ApplySummary session={session} />
        <p>单位推荐意见（盖章）：</p>
        <p>本人签字：　　　　　　日期：</p>
      </div>
    </form>
  )
}

function OneFile({
  label,
  pdf,
  name,
  busy,
  onFile,
}: {
  label: string
  pdf: boolean
  name: string | undefined
  busy: boolean
  onFile: (file: File | undefined) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="zg-row zg-gap-8 zg-middle">
      <Button disabled={busy} onClick={() => input.current?.click()}>
        {name ? '重新上传' : '上传'}
        {label}
      </Button>
      {name && <span className="tone-fine">{name}</span>}
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`选择${label}`}
        accept={pdf ? 'image/*,application/pdf' : 'image/*'}
        onChange={(event) => {
          onFile(event.target.files?.[0])
          event.target.value = ''
        }}
      />
    </div>
  )
}
