import { logStates, returnedLog, submittedLog } from '@zhugong/contract/daylogs/moves'
import { changeSafetyLog, createSafetyLog, getSafetyLog, prefillSafetyLog } from '@zhugong/contract/daylogs/safety-log'
import type { LogDetail } from '@zhugong/contract/daylogs/shapes'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { ErrorPanel, Forbidden } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { useFieldAct } from '#kit/field/use-field-act.ts'
import { useFieldForm } from '#kit/field/use-field-form.ts'
import { type BodyOf, FieldGroup, FormPage, type Values } from '#kit/form.tsx'
import { fieldsOf, formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
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
import { anyProject, sitePaths } from './log-words.tsx'
import './daylogs.css'

const { useValue } = formOf(createSafetyLog)
type Body = BodyOf<typeof createSafetyLog>

/** The safety officer in the evening: what the day recorded is in already. `?id=` goes on with a log. */
export default function SiteFormPage() {
  const id = usePageQuery().get('id')
  const projectCode = useProjectCode()
  return (
    <Can call={createSafetyLog} fallback={<Forbidden code="safety-management.edit" />}>
      {id ? (
        <Known key={id} id={id} />
      ) : projectCode === '*' ? (
        <ProjectPicker why="写哪个项目的安全日志" />
      ) : (
        <Create key={projectCode} projectCode={projectCode} />
      )}
    </Can>
  )
}

const aboutOf = (id: string, body: Pick<Body, 'day' | 'parts'>) => ({
  id,
  title: `安全日志 ${body.day}`,
  page: sitePaths.list,
  lines: body.parts ? [{ label: '施工部位与内容', text: body.parts }] : [],
})

function Create({ projectCode }: { projectCode: string }) {
  const page = usePage()
  const wanted = usePageQuery().get('day') ?? day(Date.now())
  const [fresh] = useState<Values>(() => ({ id: uid(), action: 'submit', day: wanted, photos: [], problems: [] }))
  const [held, hold, clear] = useDeviceDraft<Values>(`safety log ${projectCode} ${wanted}`, fresh)
  const leave = (to: string) => {
    clear()
    page.leave(to)
  }
  const act = useFieldForm(createSafetyLog, ({ body }) => aboutOf(body.id, body), {
    success: '安全日志已提交',
    onDone: (made) => leave(made ? hrefOf(sitePaths.detail, { id: made.id }) : sitePaths.list),
    onKept: () => leave(sitePaths.list),
  })
  const save = useFieldAct(createSafetyLog, {
    success: '草稿已保存',
    onDone: () => leave(hrefOf(sitePaths.list, { tab: 'draft' })),
    onKept: () => leave(sitePaths.list),
  })
  const keep = () => {
    const body = { ...held, action: 'save' } as Body
    return save.run({ query: { projectCode }, body }, aboutOf(body.id, body))
  }
  return (
    <FormPage
      act={act}
      title="写安全日志"
      remark="随写随存在本机，没有网络也能提交"
      saveText="提交"
      loading={!held}
      initial={held ?? fresh}
      onValues={hold}
      barActions={
        <Button loading={save.running} onClick={() => void keep()}>
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
  const read = useCall(getSafetyLog, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0, offline: true })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  return <KnownForm key={read.data?.version ?? 'none'} id={id} file={read.data} />
}

function KnownForm({ id, file }: { id: string; file: LogDetail | undefined }) {
  const page = usePage()
  const [held, hold, clear] = useDeviceDraft<Values>(`safety log of ${id} ${file?.version ?? 0}`, file ? valuesOf(file) : {})
  const leave = (to: string) => {
    clear()
    page.leave(to)
  }
  const editing = file?.state === submittedLog
  const act = useFieldForm(changeSafetyLog, ({ body }) => aboutOf(`safety log ${id}`, body as unknown as Body), {
    success: editing ? '修改已保存，原文留存' : '安全日志已提交',
    onDone: () => leave(hrefOf(sitePaths.detail, { id })),
    onKept: () => leave(sitePaths.list),
  })
  return (
    <FormPage
      act={act}
      title="安全日志"
      remark={file && (file.state === returnedLog ? '已退回，修改后重新提交，原文留存' : logStates[file.state as keyof typeof logStates])}
      saveText={editing ? '保存修改' : '提交'}
      loading={!file || !held}
      schema={createSafetyLog.schemas.body}
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

const reason = fieldsOf<{ reason: string }>()
export const ReasonField = () => (
  <FieldGroup title="修改原因" remark="提交后的修改留存原文与新文">
    <reason.Field name="reason" label="原因" span="all">
      <Input maxLength={500} />
    </reason.Field>
  </FieldGroup>
)

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
  const date = useValue('day') ?? ''
  const read = useCall(
    prefillSafetyLog,
    { query: { projectCode, day: date } },
    { quiet: true, offline: true, enabled: Boolean(date && projectCode), staleMs: 0 },
  )
  const given = { data: read.data, error: read.error, retry: read.refetch, kept: file?.facts, onFilled }
  usePrefill(given)
  return (
    <>
      <DayNotices {...given} own={id} page={sitePaths.detail} verb="打开" />
      <CopyPrevious {...given} />
      <DayFields data={read.data} locked={file !== undefined && file.submittedAt !== null} />
      <WordFields parts="施工部位与内容" state="安全生产情况" />
      <ProblemFields {...given} />
      <FactFields {...given} />
      <FieldGroup title="其他机械">
        <MachineWords />
      </FieldGroup>
      <PhotoFields />
    </>
  )
}
