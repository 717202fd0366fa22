import { changeMachine, createMachine, getMachine, type MachineDetail, machineChoices } from '@zhugong/contract/machines/calls'
import { machineMoves } from '@zhugong/contract/machines/moves'
import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Empty, ErrorPanel } from '#kit/feedback.tsx'
import { type BodyOf, FormPage, type Values } from '#kit/form.tsx'
import { day } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { type Choices, MachineFields, MoveFields, StayFields, StepFields } from './machine-fields.tsx'
import { type Step, steps } from './machine-steps.ts'
import { paths } from './machine-words.tsx'
import './machines.css'

/** Does the next legal step of a machine, or files a new one: by hand, or by its record number when it comes from another site. */
export default function MachineEditPage() {
  const query = usePageQuery()
  const chosen = useProjectCode()
  const projectCode = query.get('projectCode') ?? chosen
  const id = query.get('id')
  if (id) return <Begun id={id} wanted={query.get('step')} />
  if (projectCode === '*') return <ProjectPicker why="为哪个项目登记起重机械" />
  return <Create projectCode={projectCode} />
}

type Way = 'new' | 'move'
const ways = [
  { value: 'new', label: '新备案' },
  { value: 'move', label: '从其他项目转入' },
]

function Create({ projectCode }: { projectCode: string }) {
  const page = usePage()
  const [way, setWay] = useState<Way>('new')
  const choices = useCall(machineChoices, { query: { projectCode } }, { quiet: true })
  const act = useAct(createMachine, { success: '已登记', onDone: (made) => page.leave(hrefOf(paths.detail, { id: made.id })) })
  if (choices.error) return <ErrorPanel error={choices.error} retry={choices.refetch} />
  return (
    <FormPage
      key={way}
      act={act}
      title="新增监督设备"
      remark={way === 'new' ? '产权备案前登记一次，以后随备案编号转项目' : '按产权备案编号带出机械档案'}
      titleActions={<Segmented options={ways} value={way} onChange={(next) => setWay(next as Way)} />}
      loading={!choices.data}
      initial={{ action: way, appraisalFiles: [] }}
      input={(body) => ({
        query: { projectCode },
        body: { ...(body as BodyOf<typeof createMachine>), action: way } as BodyOf<typeof createMachine>,
      })}
    >
      {choices.data && (
        <>
          {way === 'new' ? <MachineFields /> : <MoveFields projectCode={projectCode} />}
          <StayFields choices={choices.data} />
        </>
      )}
    </FormPage>
  )
}

function Begun({ id, wanted }: { id: string; wanted: string | null }) {
  const go = useGo()
  const read = useCall(getMachine, { params: { id }, query: { projectCode: '*' } }, { quiet: true, staleMs: 0 })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const file = read.data
  if (!file) return <Waiting />
  const open = steps.filter((step) => file.actions.some((one) => one.action === step))
  const step = open.find((one) => one === wanted) ?? open[0]
  if (!step)
    return (
      <PageShell>
        <Empty
          text={`${file.stateName}，现在没有要您办理的步骤`}
          hint={file.blocked.flatMap((one) => one.missing).join('，') || '等待监管机构或其他单位'}
        >
          <a href={hrefOf(paths.detail, { id })}>看详情</a>
        </Empty>
      </PageShell>
    )
  const tabs = open.length > 1 && (
    <Segmented
      value={step}
      options={open.map((value) => ({ value, label: machineMoves[value].label }))}
      onChange={(next) => go(paths.edit, { id, step: next }, { replace: true })}
    />
  )
  return <StepForm key={`${step} ${file.version}`} file={file} step={step} tabs={tabs} />
}

function Waiting() {
  const act = useAct(changeMachine)
  return (
    <FormPage act={act} title="监督设备" loading>
      {null}
    </FormPage>
  )
}

function StepForm({ file, step, tabs }: { file: MachineDetail; step: Step; tabs: ReactNode }) {
  const page = usePage()
  const choices = useCall(machineChoices, { query: { projectCode: file.projectCode } }, { quiet: true })
  const act = useAct(changeMachine, { success: '已办理', onDone: () => page.leave(hrefOf(paths.detail, { id: file.id })) })
  if (choices.error) return <ErrorPanel error={choices.error} retry={choices.refetch} />
  return (
    <FormPage
      act={act}
      title={`${file.name} ${machineMoves[step].label}`}
      remark={`${file.stateName} · ${file.recordNo ?? '未备案'}`}
      titleActions={tabs}
      saveText={machineMoves[step].to === null ? '保存' : '提交本步'}
      loading={!choices.data}
      initial={{ action: step, version: file.version, ...valuesOf(file, step) }}
      input={(body) => ({
        params: { id: file.id },
        query: { projectCode: file.projectCode },
        body: { ...(body as BodyOf<typeof changeMachine>), action: step, version: file.version } as BodyOf<typeof changeMachine>,
      })}
    >
      {choices.data && <Fields file={file} step={step} choices={choices.data} />}
    </FormPage>
  )
}

function Fields({ file, step, choices }: { file: MachineDetail; step: Step; choices: Choices }) {
  if (step === 'save')
    return (
      <>
        <MachineFields />
        <StayFields choices={choices} />
      </>
    )
  return <StepFields file={file} step={step} choices={choices} />
}

function valuesOf(file: MachineDetail, step: Step): Values {
  const today = day(Date.now())
  switch (step) {
    case 'save': {
      const { deviceType, name, model, manufactureNo, manufacturer, manufactureDate, ownerCorp, ratedMoment, hoistClass } = file
      const { appraisedUntil, appraisalFiles, useCorp, maintainCorp, position } = file
      const machine = { deviceType, name, model, manufactureNo, manufacturer, manufactureDate, ownerCorp, ratedMoment, hoistClass }
      return { ...machine, appraisedUntil, appraisalFiles, useCorp, maintainCorp, position }
    }
    case 'file':
      return { recordNo: file.recordNo ?? '', files: [] }
    case 'noticeInstall':
      return {
        installCorp: file.installCorp,
        installDate: file.installDate ?? today,
        maxHeight: file.maxHeight,
        installers: file.installers.map((one) => one.workerId),
        files: [],
      }
    case 'saveTest':
      return {
        inspectOrg: file.inspectOrg,
        inspectDate: file.inspectDate ?? today,
        inspectReport: file.inspectReport,
        acceptDate: file.acceptDate ?? today,
      }
    case 'staff':
      return { operators: file.operators.map((one) => one.workerId), deviceId: file.deviceId, maintainCorp: file.maintainCorp }
    case 'retest':
      return { inspectOrg: file.inspectOrg, inspectDate: today, inspectReport: [] }
    case 'install':
      return { date: today }
    case 'selfCheck':
    case 'noticeDismantle':
    case 'dismantle':
      return { date: today, files: [] }
  }
}
