import { submittedLog } from '@zhugong/contract/daylogs/moves'
import { changeOwnLog, createOwnLog, getOwnLog, prefillOwnLog } from '@zhugong/contract/daylogs/own-log'
import type { LogDetail, Prefill } from '@zhugong/contract/daylogs/shapes'
import { pickProjects } from '@zhugong/contract/organisation/projects'
import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, ErrorPanel, Forbidden, Known as KnownPart } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { type BodyOf, FieldGroup, FormPage, useFormInstance, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choices } from '#kit/inputs.tsx'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { uid } from '#kit/uid.ts'
import { FactWords } from './fact-input.tsx'
import { CopyPrevious, DayFields, DayNotices, FactFields, PhotoFields, ProblemFields, valuesOf, WordFields } from './log-fields.tsx'
import { anyProject, supervisePaths } from './log-words.tsx'
import { ReasonField } from './site-form-page.tsx'
import './daylogs.css'

const { Field, useValue } = formOf(createOwnLog)
type Body = BodyOf<typeof createOwnLog>
/** A supervising institution has at most a few hundred sites. */
const mostChoices = 1000

/** What somebody of a supervising institution saw and ordered that day, on several sites. `?id=` goes on with a log. */
export default function OwnFormPage() {
  const id = usePageQuery().get('id')
  return (
    <Can call={createOwnLog} fallback={<Forbidden code="safety-management.edit" />}>
      {id ? <Known key={id} id={id} /> : <Create />}
    </Can>
  )
}

function Create() {
  const page = usePage()
  const [fresh] = useState<Values>(() => ({
    id: uid(),
    action: 'submit',
    day: day(Date.now()),
    photos: [],
    problems: [],
    facts: [],
    projects: [],
  }))
  const [held, hold, clear] = useDeviceDraft<Values>('own log', fresh)
  const leave = (to: string) => {
    clear()
    page.leave(to)
  }
  const act = useAct(createOwnLog, { success: '日志已提交', onDone: ({ id }) => leave(hrefOf(supervisePaths.detail, { id })) })
  const save = useAct(createOwnLog, {
    success: '草稿已保存',
    onDone: () => leave(hrefOf(supervisePaths.list, { of: 'own', tab: 'draft' })),
  })
  return (
    <FormPage
      act={act}
      title="写安全日志"
      remark="本单位日志，随写随存在本机"
      saveText="提交"
      loading={!held}
      initial={held ?? fresh}
      onValues={hold}
      barActions={
        <Button loading={save.running} onClick={() => void save.run({ query: anyProject, body: { ...held, action: 'save' } as Body })}>
          存草稿
        </Button>
      }
      input={(body) => ({ query: anyProject, body })}
      aside={<Insert onFilled={hold} />}
    >
      <Fields id={String((held ?? fresh).id)} onFilled={hold} />
    </FormPage>
  )
}

function Known({ id }: { id: string }) {
  const read = useCall(getOwnLog, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  return <KnownForm key={read.data?.version ?? 'none'} id={id} file={read.data} />
}

function KnownForm({ id, file }: { id: string; file: LogDetail | undefined }) {
  const page = usePage()
  const [held, hold, clear] = useDeviceDraft<Values>(`own log of ${id} ${file?.version ?? 0}`, file ? valuesOf(file) : {})
  const editing = file?.state === submittedLog
  const act = useAct(changeOwnLog, {
    success: editing ? '修改已保存，原文留存' : '日志已提交',
    onDone: () => {
      clear()
      page.leave(hrefOf(supervisePaths.detail, { id }))
    },
  })
  return (
    <FormPage
      act={act}
      title="安全日志"
      remark={file?.stateName}
      saveText={editing ? '保存修改' : '提交'}
      loading={!file || !held}
      schema={createOwnLog.schemas.body}
      initial={{ action: 'submit', ...held }}
      onValues={hold}
      input={(body) => {
        const { id: _id, action: _action, reason, ...fields } = body as unknown as Body & { reason?: string }
        const version = file?.version ?? 0
        return editing
          ? { params: { id }, query: anyProject, body: { ...fields, action: 'edit' as const, version, reason: reason ?? held?.reason } }
          : { params: { id }, query: anyProject, body: { ...fields, action: 'submit' as const, version } }
      }}
      aside={<Insert onFilled={hold} kept={file?.facts} />}
    >
      {file && <Fields id={id} file={file} onFilled={hold} />}
      {editing && <ReasonField />}
    </FormPage>
  )
}

/** What the chosen sites recorded that day. */
function useDay() {
  const date = useValue('day') ?? ''
  const projects = (useValue('projects') ?? []) as readonly string[]
  return useCall(
    prefillOwnLog,
    { query: { projectCode: '*', day: date, projects: projects.length > 0 ? projects.join(',') : undefined } },
    { quiet: true, enabled: date !== '', staleMs: 0, keepPrevious: true },
  )
}

function Fields({ id, file, onFilled }: { id: string; file?: LogDetail; onFilled: (values: Values) => void }) {
  const read = useDay()
  const found = useCall(pickProjects, { query: { page: 1, size: mostChoices } }, { quiet: true })
  const chosen = file?.visited.map((one) => ({ value: one.projectCode, label: one.name })) ?? []
  const options = [...chosen, ...(found.data?.list ?? []).map((one) => ({ value: one.projectCode, label: one.name }))]
  const given = { data: read.data, error: read.error, retry: read.refetch, kept: file?.facts, onFilled }
  return (
    <>
      <DayNotices {...given} own={id} page={supervisePaths.detail} verb="打开" />
      <CopyPrevious {...given} />
      <DayFields data={read.data} heads={false} locked={file !== undefined && file.submittedAt !== null} />
      <FieldGroup title="涉及项目">
        <Field name="projects" label="项目" span="all" required>
          <Choices options={[...new Map(options.map((one) => [one.value, one])).values()]} />
        </Field>
        <Visited visited={read.data?.visited ?? []} onFilled={onFilled} />
      </FieldGroup>
      <WordFields parts="检查部位与内容" state="安全生产情况" />
      <ProblemFields {...given} />
      <Inserted {...given} />
      <PhotoFields />
    </>
  )
}

/** Only what was inserted stands in the log; the rest waits beside it. */
function Inserted({ data, kept = [] }: { data: Prefill | undefined; kept?: LogDetail['facts'] | undefined }) {
  const value = useValue('facts') ?? []
  const all = [...kept, ...(data?.facts ?? [])].filter((one) => value.some((other) => other.kind === one.kind && other.refId === one.refId))
  if (all.length === 0) return null
  return <FactFields data={undefined} kept={[...new Map(all.map((one) => [`${one.kind} ${one.refId}`, one])).values()]} />
}

/** Sites where the writer was, by his track and his checks. */
function Visited({ visited, onFilled }: { visited: Prefill['visited']; onFilled: (values: Values) => void }) {
  const form = useFormInstance()
  const chosen = (useValue('projects') ?? []) as readonly string[]
  const open = visited.filter((one) => !chosen.includes(one.projectCode))
  const filled = useRef(false)
  useEffect(() => {
    // Once, and only where nothing was chosen.
    if (filled.current || visited.length === 0) return
    filled.current = true
    if (chosen.length > 0) return
    form.setFieldValue(
      ['projects'],
      visited.map((one) => one.projectCode),
    )
    onFilled(form.getFieldsValue(true) as Values)
  }, [visited, chosen, form, onFilled])
  if (open.length === 0) return null
  const add = (code: string) => {
    form.setFieldValue(['projects'], [...chosen, code])
    onFilled(form.getFieldsValue(true) as Values)
  }
  return (
    <p className="zg-span-all">
      当天到过：
      {open.map((one) => (
        <Button key={one.projectCode} size="small" onClick={() => add(one.projectCode)}>
          {one.name}（{one.why}）
        </Button>
      ))}
    </p>
  )
}

/** The right rail: today's alarms, open orders and checks of the chosen sites, inserted with one click. */
function Insert({ onFilled, kept = [] }: { onFilled: (values: Values) => void; kept?: LogDetail['facts'] | undefined }) {
  const form = useFormInstance()
  const read = useDay()
  const projects = (useValue('projects') ?? []) as readonly string[]
  const value = useValue('facts') ?? []
  const open = (read.data?.facts ?? []).filter((one) => !value.some((other) => other.kind === one.kind && other.refId === one.refId))
  const add = (one: (typeof open)[number]) => {
    form.setFieldValue(['facts'], [...value, { kind: one.kind, refId: one.refId }])
    onFilled(form.getFieldsValue(true) as Values)
  }
  return (
    <Card title="当日记录" remark={kept.length > 0 ? `已带入 ${kept.length} 条` : '点击插入，保持链接'}>
      {projects.length === 0 ? (
        <p className="zg-2">选择涉及项目后，这里列出当日告警、未闭合整改与检查</p>
      ) : (
        <KnownPart of={read}>
          <ul className="log-insert">
            {open.map((one) => (
              <li key={`${one.kind} ${one.refId}`}>
                <small className="zg-2">{one.kindName}</small> <FactWords one={one} />
                <Button size="small" type="link" aria-label={`插入 ${one.text}`} onClick={() => add(one)}>
                  插入
                </Button>
              </li>
            ))}
          </ul>
          {open.length === 0 && <p className="zg-2">没有更多记录</p>}
        </KnownPart>
      )}
    </Card>
  )
}
