import { changeWork, createWork, getWork, type WorkDetail, workChoices } from '@zhugong/contract/works/calls'
import type { WorkAction } from '@zhugong/contract/works/moves'
import { Segmented } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { Empty, ErrorPanel } from '#kit/feedback.tsx'
import { type BodyOf, FormPage, type Values } from '#kit/form.tsx'
import { day } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { type Choices, IdentityFields } from './identity-fields.tsx'
import { AcceptFields, MonitorFields, PlanFields, PrepareFields, ReviewFields, ReviseFields } from './stage-fields.tsx'
import { WorkRail } from './work-rail.tsx'
import { paths } from './work-words.tsx'
import './works.css'

/** Actions with a form, in the order of the stages. */
const steps = ['save', 'savePlan', 'review', 'revise', 'prepare', 'monitor', 'saveAccept'] as const satisfies readonly WorkAction[]
type Step = (typeof steps)[number]
const stepNames: Readonly<Record<Step, string>> = {
  save: '识别',
  savePlan: '方案',
  review: '论证结论',
  revise: '方案修改',
  prepare: '交底与公告牌',
  monitor: '监测',
  saveAccept: '验收资料',
}
const firstDays = 30

/** Registers a work, or adds the papers of its stage: only the forms of the present stage are open. */
export default function WorkEditPage() {
  const query = usePageQuery()
  const chosen = useProjectCode()
  const projectCode = query.get('projectCode') ?? chosen
  const id = query.get('id')
  if (id) return <Begun id={id} wanted={query.get('step')} />
  if (projectCode === '*') return <ProjectPicker why="为哪个项目登记危大工程" />
  return <Register projectCode={projectCode} />
}

function Register({ projectCode }: { projectCode: string }) {
  const page = usePage()
  const choices = useCall(workChoices, { query: { projectCode } }, { quiet: true })
  const act = useAct(createWork, {
    success: (made) => `已登记 ${made.code}`,
    onDone: (made) => page.leave(hrefOf(paths.detail, { id: made.id })),
  })
  if (choices.error) return <ErrorPanel error={choices.error} retry={choices.refetch} />
  return (
    <FormPage
      act={act}
      title="登记危大工程"
      remark="按建办质〔2018〕31号附件识别，规模达到限值的自动列为超规模"
      loading={!choices.data}
      initial={{ overScale: false, sizes: {}, planStartDate: day(Date.now()), planEndDate: day(Date.now() + firstDays * 86_400_000) }}
      input={(body) => ({ query: { projectCode }, body: body as BodyOf<typeof createWork> })}
    >
      {choices.data && <IdentityFields projectCode={projectCode} choices={choices.data} />}
    </FormPage>
  )
}

function Begun({ id, wanted }: { id: string; wanted: string | null }) {
  const go = useGo()
  const read = useCall(getWork, { params: { id }, query: { projectCode: '*' } }, { quiet: true, staleMs: 0 })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const file = read.data
  if (!file) return <Waiting />
  const open = steps.filter((step) => file.actions.some((one) => one.action === step))
  const step = open.find((one) => one === wanted) ?? open[0]
  if (!step)
    return (
      <PageShell>
        <Empty text={`${file.stateName}，现在没有要您填写的内容`} hint="已签审的阶段不能再修改">
          <a href={hrefOf(paths.detail, { id })}>看详情</a>
        </Empty>
      </PageShell>
    )
  const tabs = open.length > 1 && (
    <Segmented
      value={step}
      options={open.map((value) => ({ value, label: stepNames[value] }))}
      onChange={(next) => go(paths.edit, { id, step: next }, { replace: true })}
    />
  )
  return <StageForm key={`${step} ${file.version}`} file={file} step={step} tabs={tabs} />
}

function Waiting() {
  const act = useAct(changeWork)
  return (
    <FormPage act={act} title="危大工程" loading>
      {null}
    </FormPage>
  )
}

function StageForm({ file, step, tabs }: { file: WorkDetail; step: Step; tabs: React.ReactNode }) {
  const page = usePage()
  const choices = useCall(workChoices, { query: { projectCode: file.projectCode } }, { quiet: true })
  const act = useAct(changeWork, { success: '已保存', onDone: () => page.leave(hrefOf(paths.detail, { id: file.id })) })
  if (choices.error) return <ErrorPanel error={choices.error} retry={choices.refetch} />
  return (
    <FormPage
      act={act}
      title={file.name}
      remark={`${file.stateName} · ${stepNames[step]}`}
      titleActions={tabs}
      loading={!choices.data}
      initial={{ action: step, version: file.version, ...valuesOf[step](file) }}
      input={(body) => ({
        params: { id: file.id },
        query: { projectCode: file.projectCode },
        body: { ...(body as BodyOf<typeof changeWork>), action: step, version: file.version } as BodyOf<typeof changeWork>,
      })}
    >
      <WorkRail file={file} />
      {choices.data && <StageFields file={file} step={step} choices={choices.data} />}
    </FormPage>
  )
}

function StageFields({ file, step, choices }: { file: WorkDetail; step: Step; choices: Choices }) {
  switch (step) {
    case 'save':
      return <IdentityFields projectCode={file.projectCode} choices={choices} />
    case 'savePlan':
      return <PlanFields />
    case 'review':
      return <ReviewFields choices={choices} />
    case 'revise':
      return <ReviseFields file={file} />
    case 'prepare':
      return <PrepareFields choices={choices} />
    case 'monitor':
      return <MonitorFields file={file} choices={choices} />
    case 'saveAccept':
      return <AcceptFields />
  }
}

const today = () => day(Date.now())
const valuesOf: Readonly<Record<Step, (file: WorkDetail) => Values>> = {
  save: (file) => ({
    name: file.name,
    category: file.category,
    overScale: file.overScale,
    riskLevel: file.riskLevel,
    unitId: file.unitId,
    placeId: file.placeId,
    part: file.part,
    sizes: file.sizes,
    constructionCorp: file.constructionCorp,
    subCorp: file.subCorp,
    planStartDate: file.planStartDate,
    planEndDate: file.planEndDate,
    actualStartDate: file.actualStartDate,
  }),
  savePlan: (file) => ({ planName: file.planName ?? `${file.name}专项施工方案`, planFiles: file.planFiles }),
  review: () => ({}),
  revise: (file) => ({ note: file.revisionNote ?? '', planFiles: [] }),
  prepare: (file) => ({
    disclosureDate: file.disclosureDate ?? today(),
    discloser: file.discloser,
    disclosureText: file.disclosureText,
    receivers: file.receivers.length ? file.receivers : [{}],
    inspectors: file.inspectors.length ? file.inspectors : [{ post: '安全员' }, { post: '监理' }],
    warnPhotos: file.warnPhotos,
  }),
  monitor: (file) => ({
    monitorOrg: file.monitorOrg,
    monitorFiles: file.monitorFiles,
    deviceIds: file.devices.map((one) => one.id),
  }),
  saveAccept: (file) => ({ acceptDate: file.acceptDate ?? today(), acceptPhotos: file.acceptPhotos }),
}
