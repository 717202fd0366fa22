import {
  changeConstructionLog,
  createConstructionLog,
  getConstructionLog,
  prefillConstructionLog,
} from '@zhugong/contract/daylogs/construction'
import { impacts, mostBlocks, mostPours } from '@zhugong/contract/daylogs/fields'
import { submittedLog } from '@zhugong/contract/daylogs/moves'
import type { LogDetail, Prefill } from '@zhugong/contract/daylogs/shapes'
import { Button, Input, Slider } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { ErrorPanel, Forbidden, Tag } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { useFieldAct } from '#kit/field/use-field-act.ts'
import { useFieldForm } from '#kit/field/use-field-form.ts'
import { type BodyOf, FieldGroup, FormPage, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, ClockInput, LongText, NumberInput } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { uid } from '#kit/uid.ts'
import {
  CopyPrevious,
  DayFields,
  DayNotices,
  FactFields,
  MachineWords,
  PhotoFields,
  ProblemFields,
  usePrefill,
  valuesOf,
  WordFields,
} from './log-fields.tsx'
import { anyProject, buildPaths } from './log-words.tsx'
import { ReasonField } from './site-form-page.tsx'
import { useUnits } from './use-units.ts'
import './daylogs.css'

const { Field, FieldList, useValue } = formOf(createConstructionLog)
type Body = BodyOf<typeof createConstructionLog>

/** The day's production of one unit of the works. `?id=` goes on with a log. */
export default function ConstructionFormPage() {
  const id = usePageQuery().get('id')
  const projectCode = useProjectCode()
  return (
    <Can call={createConstructionLog} fallback={<Forbidden code="safety-management.edit" />}>
      {id ? (
        <Known key={id} id={id} />
      ) : projectCode === '*' ? (
        <ProjectPicker why="写哪个项目的施工日志" />
      ) : (
        <Create key={projectCode} projectCode={projectCode} />
      )}
    </Can>
  )
}

const aboutOf = (id: string, body: Pick<Body, 'day' | 'parts'>) => ({
  id,
  title: `施工日志 ${body.day}`,
  page: buildPaths.list,
  lines: body.parts ? [{ label: '施工部位与内容', text: body.parts }] : [],
})

function Create({ projectCode }: { projectCode: string }) {
  const page = usePage()
  const query = usePageQuery()
  const [fresh] = useState<Values>(() => ({
    id: uid(),
    action: 'submit',
    day: query.get('day') ?? day(Date.now()),
    unitId: query.get('unit') ?? undefined,
    impact: 'none',
    photos: [],
    problems: [],
    pours: [],
    blocks: [],
  }))
  const [held, hold, clear] = useDeviceDraft<Values>(`construction log ${projectCode} ${query.get('unit') ?? ''}`, fresh)
  const leave = (to: string) => {
    clear()
    page.leave(to)
  }
  const act = useFieldForm(createConstructionLog, ({ body }) => aboutOf(body.id, body), {
    success: '施工日志已提交',
    onDone: (made) => leave(made ? hrefOf(buildPaths.detail, { id: made.id }) : buildPaths.list),
    onKept: () => leave(buildPaths.list),
  })
  const save = useFieldAct(createConstructionLog, {
    success: '草稿已保存',
    onDone: () => leave(hrefOf(buildPaths.list, { tab: 'draft' })),
    onKept: () => leave(buildPaths.list),
  })
  const keep = () => {
    const body = { ...held, action: 'save' } as Body
    return save.run({ query: { projectCode }, body }, aboutOf(body.id, body))
  }
  return (
    <FormPage
      act={act}
      title="写施工日志"
      remark="随写随存在本机，没有网络也能提交"
      saveText="提交"
      loading={!held}
      initial={held ?? fresh}
      onValues={hold}
      barActions={
        <Button loading={save.running} disabled={!held?.unitId} onClick={() => void keep()}>
          存草稿
        </Button>
      }
      input={(body) => ({ query: { projectCode }, body })}
    >
      <Fields projectCode={projectCode} id={String((held ?? fresh).id)} onFilled={hold} />
    </FormPage>
  )
}

function Known({ id }: { id: string }) {
  const read = useCall(getConstructionLog, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0, offline: true })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  return <KnownForm key={read.data?.version ?? 'none'} id={id} file={read.data} />
}

function KnownForm({ id, file }: { id: string; file: LogDetail | undefined }) {
  const page = usePage()
  const [held, hold, clear] = useDeviceDraft<Values>(`construction log of ${id} ${file?.version ?? 0}`, file ? valuesOf(file) : {})
  const leave = (to: string) => {
    clear()
    page.leave(to)
  }
  const editing = file?.state === submittedLog
  const act = useFieldForm(changeConstructionLog, ({ body }) => aboutOf(`construction log ${id}`, body as unknown as Body), {
    success: editing ? '修改已保存，原文留存' : '施工日志已提交',
    onDone: () => leave(hrefOf(buildPaths.detail, { id })),
    onKept: () => leave(buildPaths.list),
  })
  return (
    <FormPage
      act={act}
      title="施工日志"
      remark={file && `${file.unitName ?? ''} ${file.stateName}`}
      saveText={editing ? '保存修改' : '提交'}
      loading={!file || !held}
      schema={createConstructionLog.schemas.body}
      initial={{ action: 'submit', ...held }}
      onValues={hold}
      input={(body) => {
        const { id: _id, action: _action, reason, ...fields } = body as unknown as Body & { reason?: string }
        const version = file?.version ?? 0
        return editing
          ? { params: { id }, query: anyProject, body: { ...fields, action: 'edit' as const, version, reason: reason ?? held?.reason } }
          : { params: { id }, query: anyProject, body: { ...fields, action: 'submit' as const, version } }
      }}
    >
      {file && <Fields projectCode={file.projectCode ?? ''} id={id} file={file} onFilled={hold} />}
      {editing && <ReasonField />}
    </FormPage>
  )
}

function Fields({
  projectCode,
  id,
  file,
  onFilled,
}: {
  projectCode: string
  id: string
  file?: LogDetail
  onFilled: (values: Values) => void
}) {
  const units = useUnits(projectCode)
  const date = useValue('day') ?? ''
  const unitId = useValue('unitId')
  const submitted = file !== undefined && file.submittedAt !== null
  const read = useCall(
    prefillConstructionLog,
    { query: { projectCode, day: date, unitId: unitId ?? null } },
    { quiet: true, offline: true, enabled: Boolean(date && unitId && projectCode), staleMs: 0 },
  )
  const given = { data: read.data, error: read.error, retry: read.refetch, kept: file?.facts, onFilled }
  usePrefill({ ...given, unitId })
  return (
    <>
      <DayNotices {...given} own={id} page={buildPaths.detail} verb="打开补充分项" />
      <CopyPrevious {...given} />
      <FieldGroup title="单体">
        <Field name="unitId" label="单体" help="每个单体每天一篇，其他人在同一篇里补充分项">
          <Choice clear={false} disabled={submitted} options={units} />
        </Field>
      </FieldGroup>
      <DayFields data={read.data} locked={submitted} />
      <WordFields parts="施工部位与内容" quality />
      {!submitted && <BlockFields />}
      <TaskFields tasks={read.data?.tasks ?? []} />
      <PourFields />
      <FieldGroup title="机械与影响">
        <MachineWords />
        <Field name="impact" label="施工影响">
          <Choice clear={false} options={Object.entries(impacts).map(([value, label]) => ({ value, label }))} />
        </Field>
        <Field name="idleCount" label="窝工人次" help="到场但不能作业的人数">
          <NumberInput unit="人次" />
        </Field>
      </FieldGroup>
      <ProblemFields {...given} />
      <FactFields {...given} />
      <PhotoFields />
    </>
  )
}

function BlockFields() {
  return (
    <FieldGroup title="分项" remark="各施工员分别填写自己的部位">
      <FieldList name="blocks" add="添加分项" max={mostBlocks}>
        {({ index, name, remove }) => (
          <div className="log-row">
            <Field name={name('part')} label={`部位 ${index + 1}`}>
              <Input />
            </Field>
            <Field name={name('gang')} label="班组">
              <Input />
            </Field>
            <Field name={name('content')} label="完成情况">
              <LongText rows={2} />
            </Field>
            <Button aria-label={`删除分项 ${index + 1}`} onClick={remove}>
              删除
            </Button>
          </div>
        )}
      </FieldList>
    </FieldGroup>
  )
}

/** Percent of the tasks in work; goes to the schedule as a proposal. */
function TaskFields({ tasks }: { tasks: Prefill['tasks'] }) {
  const written = useValue('tasks') ?? []
  if (written.length === 0) return null
  return (
    <FieldGroup title="进度" remark="提交后作为进度填报的建议">
      {written.map((one, i) => {
        const task = tasks.find((other) => other.taskId === one.taskId)
        const falls = task !== undefined && Number(one.percent) < task.percent
        return (
          <div key={one.taskId} className="zg-span-all log-task">
            <Field
              name={`tasks.${i}.percent`}
              label={task?.name ?? `任务 ${i + 1}`}
              help={
                task && (
                  <>
                    进度计划 {task.percent}%，按计划应为 {task.planPercent}%{' '}
                    {task.delayDays > 0 && <Tag tone="warning">滞后 {task.delayDays} 天</Tag>}
                  </>
                )
              }
            >
              <Slider min={0} max={100} />
            </Field>
            {falls && (
              <Field name={`tasks.${i}.reason`} label="低于进度计划的原因" required>
                <Input />
              </Field>
            )}
          </div>
        )
      })}
    </FieldGroup>
  )
}

function PourFields() {
  return (
    <FieldGroup title="混凝土浇筑">
      <FieldList name="pours" add="添加浇筑" max={mostPours}>
        {({ index, name, remove }) => (
          <div className="log-row">
            <Field name={name('part')} label={`浇筑部位 ${index + 1}`}>
              <Input />
            </Field>
            <Field name={name('grade')} label="强度等级">
              <Input placeholder="C30" />
            </Field>
            <Field name={name('volume')} label="方量">
              <NumberInput unit="m³" />
            </Field>
            <Field name={name('from')} label="开始">
              <ClockInput />
            </Field>
            <Field name={name('until')} label="结束">
              <ClockInput />
            </Field>
            <Button aria-label={`删除浇筑 ${index + 1}`} onClick={remove}>
              删除
            </Button>
          </div>
        )}
      </FieldList>
    </FieldGroup>
  )
}
