import type { DeviceRow } from '@zhugong/contract/equipment/endpoints'
import {
  addPatrol,
  answerPatrol,
  findingStates,
  judgePatrol,
  listPatrols,
  patrolList,
  patrolResults,
  patrolStates,
  type VideoPatrol,
} from '@zhugong/contract/monitoring/video/video-patrols'
import { listVideoSites } from '@zhugong/contract/monitoring/video/video-sites'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Tag } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { Choice, LongText, Upload } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { stateOf } from './camera.ts'

const { Field } = formOf(addPatrol, answerPatrol, judgePatrol)

interface Site {
  projectCode: string
  projectName: string
  cameras: readonly DeviceRow[]
}

/** Ends the patrol of a site: no finding, or a finding. */
export function PatrolSteps({ site, onDone }: { site: Site; onDone: () => void }) {
  const may = useCan(addPatrol)
  const [finding, setFinding] = useState(false)
  const act = useAct(addPatrol, {
    success: (one) => (one.result === 'found' ? `已记入巡查记录，并通知 ${one.told} 人处理` : '已记入巡查记录'),
    refreshes: [listPatrols, listVideoSites],
    onDone,
  })
  if (!may) return null
  const cameraIds = site.cameras.map((one) => one.id)
  const query = { projectCode: site.projectCode }
  return (
    <>
      <Button type="primary" loading={act.running} onClick={() => void act.run({ query, body: { cameraIds, result: 'fine' } })}>
        无异常
      </Button>
      <Button danger onClick={() => setFinding(true)}>
        有发现
      </Button>
      <FormDrawer
        open={finding}
        narrow
        width={480}
        act={act}
        title="巡查发现"
        remark={site.projectName}
        initial={{ cameraIds, result: 'found' }}
        input={(body: BodyOf<typeof addPatrol>) => ({ query, body: { ...body, cameraIds, result: 'found' as const } })}
        onClose={() => setFinding(false)}
      >
        <Field name="deviceId" label="发现于" help="看到问题的摄像机">
          <Choice options={site.cameras.map((one) => ({ value: one.id, label: `${one.name}（${patrolStates[stateOf(one)]}）` }))} />
        </Field>
        <Field name="finding" label="发现的问题" required help="提交后通知项目与总包处理，项目可以看到巡查人与内容">
          <LongText rows={4} />
        </Field>
        <Field name="photos" label="照片">
          <Upload max={6} maxMb={10} />
        </Field>
      </FormDrawer>
    </>
  )
}

const results = Object.entries(patrolResults).map(([value, label]) => ({ value, label }))
const away = (one: VideoPatrol) => one.cameras.filter(({ state }) => state !== 'online')

/** Patrols with viewer, cameras and finding. */
export function PatrolLog({ projectCode, emptyHint }: { projectCode: string; emptyHint: string }) {
  const list = useListPage(patrolList, {
    scope: { projectCode },
    own: ['by', 'area', 'low', 'patrol', 'turn', 'patrols', 'views'],
    defaultSort: '-time',
  })
  const columns: ColumnOf<typeof patrolList>[] = [
    { key: 'time', width: 152, locked: true, sort: true, filter: 'date-range', value: (r) => time(r.time) },
    ...(projectCode === '*' ? [{ key: 'projectName' as const, width: 180, value: (r: VideoPatrol) => r.projectName }] : []),
    { key: 'cameras', width: 84, align: 'right', value: (r) => r.cameras.length },
    {
      key: 'online',
      width: 180,
      value: (r) => {
        const gone = away(r)
        return gone.length === 0 ? (
          '全部在线'
        ) : (
          <span className="tone-warning" title={gone.map((one) => `${one.name} ${patrolStates[one.state]}`).join('、')}>
            {r.online} 路在线，{gone[0]?.name} 等 {gone.length} 路无画面
          </span>
        )
      },
    },
    {
      key: 'result',
      width: 92,
      filter: 'multi',
      options: results,
      value: (r) => <Tag tone={r.result === 'found' ? 'danger' : 'fine'}>{patrolResults[r.result]}</Tag>,
    },
    { key: 'finding', width: 280, value: (r) => r.finding },
    { key: 'deviceName', width: 120, weak: true, value: (r) => r.deviceName },
    {
      key: 'photos',
      width: 84,
      value: (r) => (r.photos[0] ? <Thumb src={r.photos[0]} name="巡查照片" width={56} height={36} /> : null),
    },
    {
      key: 'state',
      width: 92,
      filter: 'multi',
      options: Object.entries(findingStates).map(([value, label]) => ({ value, label })),
      value: (r) => (r.state === null ? null : <Tag tone={stateTones[r.state]}>{findingStates[r.state]}</Tag>),
    },
    { key: 'answer', width: 240, wrap: true, value: (r) => <Answer row={r} /> },
    { key: 'byName', width: 92, filter: 'text', value: (r) => r.byName },
    { key: 'byGroup', width: 180, weak: true, value: (r) => r.byGroup },
  ]
  const [step, setStep] = useState<Step>()
  return (
    <>
      <DataTable
        list={list}
        columns={columns}
        unit="次"
        emptyHint={emptyHint}
        actions={(row) => [
          row.mayAnswer && { label: '答复', needs: answerPatrol, onClick: () => setStep({ row, kind: 'answer' }) },
          row.mayJudge && { label: '确认', needs: judgePatrol, onClick: () => setStep({ row, kind: 'confirm' }) },
          row.mayJudge && { label: '退回', needs: judgePatrol, onClick: () => setStep({ row, kind: 'return' }) },
        ]}
      />
      {step?.kind === 'answer' && <AnswerForm row={step.row} onClose={() => setStep(undefined)} />}
      {step && step.kind !== 'answer' && <JudgeForm row={step.row} action={step.kind} onClose={() => setStep(undefined)} />}
    </>
  )
}

const stateTones = { open: 'danger', answered: 'warning', closed: 'fine' } as const
interface Step {
  row: VideoPatrol
  kind: 'answer' | 'confirm' | 'return'
}

/** The site's answer, and its confirmation or rejection. */
function Answer({ row }: { row: VideoPatrol }) {
  if (row.state === null) return null
  return (
    <>
      {row.answer ?? (row.told > 0 ? `已通知 ${row.told} 人` : '项目没有可通知的人员')}
      {row.answerPhotos[0] && <Thumb src={row.answerPhotos[0]} name="处理照片" width={56} height={36} />}
      {row.verdict && (
        <span className={row.state === 'open' ? 'tone-danger' : 'zg-2'}>
          　{row.state === 'open' ? `退回：${row.verdict}` : row.verdict}
        </span>
      )}
    </>
  )
}

interface StepProps {
  row: VideoPatrol
  onClose: () => void
}
const at = (row: VideoPatrol) => ({ params: { id: row.id }, query: { projectCode: row.projectCode } })

function AnswerForm({ row, onClose }: StepProps) {
  const act = useAct(answerPatrol, { success: '已答复，等待巡查人确认', refreshes: [listPatrols], onDone: onClose })
  return (
    <FormDrawer
      open
      narrow
      width={480}
      act={act}
      title="答复巡查发现"
      remark={row.finding ?? ''}
      initial={{ photos: [] }}
      input={(body: BodyOf<typeof answerPatrol>) => ({ ...at(row), body: { ...body, version: row.version } })}
      onClose={onClose}
    >
      <Field name="answer" label="处理说明" required>
        <LongText rows={4} />
      </Field>
      <Field name="photos" label="照片">
        <Upload max={6} maxMb={10} />
      </Field>
    </FormDrawer>
  )
}

function JudgeForm({ row, action, onClose }: StepProps & { action: 'confirm' | 'return' }) {
  const isReturn = action === 'return'
  const act = useAct(judgePatrol, {
    success: isReturn ? '已退回，并通知项目' : '已确认，发现关闭',
    refreshes: [listPatrols],
    onDone: onClose,
  })
  return (
    <FormDrawer
      open
      narrow
      width={480}
      act={act}
      title={isReturn ? '退回答复' : '确认答复'}
      remark={row.answer ?? ''}
      initial={{}}
      input={(body: Values) => ({ ...at(row), body: { ...body, action, version: row.version } })}
      onClose={onClose}
    >
      <Field name="reason" label={isReturn ? '退回原因' : '说明'} required={isReturn}>
        <LongText rows={3} />
      </Field>
    </FormDrawer>
  )
}
