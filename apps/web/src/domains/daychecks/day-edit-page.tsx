import { type DayCheckDetail, getDayCheck } from '@zhugong/contract/daychecks/calls'
import { dayCheckStates } from '@zhugong/contract/daychecks/moves'
import { Button } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { DetailSkeleton, Empty, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { useGo, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { ArriveStep } from './arrive-step.tsx'
import { CheckStep } from './check-step.tsx'
import { ConcludeStep } from './conclude-step.tsx'
import { type CheckDraft, checkDraftOf, checkKey } from './day-draft.ts'
import { NewTask, TaskStep } from './task-step.tsx'
import './daychecks.css'

/** Two officers on a site: everything of a visit on one tablet. `?id=` goes on with a check, without it one is planned. */
export default function DayEditPage() {
  const query = usePageQuery()
  const id = query.get('id')
  const here = useProjectCode()
  const projectCode = query.get('projectCode') ?? here
  if (id) return <Running key={id} id={id} />
  if (projectCode === '*') return <ProjectPicker why="检查哪个项目" />
  return <NewTask key={projectCode} projectCode={projectCode} />
}

function Running({ id }: { id: string }) {
  const go = useGo()
  const read = useCall(getDayCheck, { params: { id }, query: { projectCode: '*' } }, { quiet: true, staleMs: 0, offline: true })
  const file = read.data
  if (read.error)
    return (
      <PageShell>
        <ErrorPanel error={read.error} retry={read.refetch} />
      </PageShell>
    )
  if (!file)
    return (
      <PageShell>
        <DetailSkeleton />
      </PageShell>
    )
  if (file.state !== dayCheckStates.planned && file.state !== dayCheckStates.running)
    return (
      <PageShell>
        <Empty text={file.state === dayCheckStates.cancelled ? '这次检查已经取消' : '这次检查已经提交'} hint={file.code ?? ''}>
          <Button onClick={() => go('/jgt/daycheck/details', { id })}>查看</Button>
        </Empty>
      </PageShell>
    )
  return <Desk file={file} />
}

const steps = ['任务', '到场', '检查', '结论'] as const

function Desk({ file }: { file: DayCheckDetail }) {
  const [kept, setKept, clear] = useDeviceDraft<CheckDraft>(checkKey(file.id), checkDraftOf(file))
  const stepParam = Number(usePageQuery().get('step') ?? NaN)
  const arrived = file.state === dayCheckStates.running || (kept?.arrived ?? false)
  const [step, setStep] = useState<number>()
  const shown = step ?? (arrived ? (stepParam === 3 ? 3 : 2) : 1)
  if (!kept)
    return (
      <PageShell>
        <DetailSkeleton />
      </PageShell>
    )
  const change = (more: Partial<CheckDraft>) => setKept({ ...kept, ...more })
  const done = file.units.filter((one) => one.done).length
  const remarks = [
    `${file.inspectTypeName} ${file.plannedDate}`,
    file.checkIn ? `${file.checkIn.at.slice(11, 16)} 签到` : kept.arrived ? '签到待传' : '未签到',
    `${done} / ${file.units.length} 完成`,
    `${kept.problems.length} 个问题`,
  ]
  return (
    <PageShell title={file.projectName} remark={`${file.checkers.join('、')} · ${file.disciplineNames.join('、')}`}>
      <div className="day-desk">
        <nav className="day-steps" aria-label="检查步骤">
          {steps.map((name, i) => (
            <button
              key={name}
              type="button"
              aria-current={shown === i ? 'step' : undefined}
              disabled={i > 1 && !arrived}
              onClick={() => setStep(i)}
            >
              <b>
                {i + 1} {name}
              </b>
              <small>{remarks[i]}</small>
            </button>
          ))}
        </nav>
        {!file.mine && <Notice tone="info">您不是本次检查的检查人员，只能查看。</Notice>}
        {shown === 0 && <TaskStep file={file} />}
        {shown === 1 && <ArriveStep file={file} arrived={arrived} draft={kept} onChange={change} onNext={() => setStep(2)} />}
        {shown === 2 && <CheckStep file={file} draft={kept} onChange={change} onNext={() => setStep(3)} />}
        {shown === 3 && <ConcludeStep file={file} draft={kept} onChange={change} onSent={clear} />}
      </div>
    </PageShell>
  )
}
