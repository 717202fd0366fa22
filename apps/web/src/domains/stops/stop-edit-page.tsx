import { changeStop, createStop, getStop, type StopDetail, type StopStart, stopStart } from '@zhugong/contract/stops/calls'
import { mostItemPhotos, mostPapers, resumeItems, stopTypes } from '@zhugong/contract/stops/moves'
import { Button, Checkbox, Radio } from 'antd'
import { type ReactNode, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { ErrorPanel, Notice, Tag } from '#kit/feedback.tsx'
import { type BodyOf, FieldGroup, FormPage, useFormInstance, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, LongText, Upload } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { uid } from '#kit/uid.ts'
import { Effect } from './stop-detail-page.tsx'
import './stops.css'

const { Field, useValue } = formOf(createStop)
const papersAccepted = 'image/*,application/pdf'
const mostPaperMb = 100

type Body = BodyOf<typeof createStop>

/** One form that fits its kind of application: `?id=` continues a draft, `?copy=` starts from a rejected one. */
export default function StopEditPage() {
  const query = usePageQuery()
  const chosen = useProjectCode()
  const projectCode = query.get('projectCode') ?? chosen
  const given = query.get('id') ?? query.get('copy')
  if (given) return <Begun id={given} isCopy={!query.get('id')} />
  if (projectCode === '*') return <ProjectPicker why="为哪个项目申请" />
  return <StopForm projectCode={projectCode} />
}

function Begun({ id, isCopy }: { id: string; isCopy: boolean }) {
  const read = useCall(getStop, { params: { id }, query: { projectCode: '*' } }, { quiet: true, staleMs: 0 })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <FormPageWaiting />
  return <StopForm projectCode={read.data.projectCode} file={read.data} isCopy={isCopy} />
}

function FormPageWaiting() {
  const act = useAct(createStop)
  return (
    <FormPage act={act} title="停复工申请" loading>
      {null}
    </FormPage>
  )
}

function StopForm({ projectCode, file, isCopy = false }: { projectCode: string; file?: StopDetail; isCopy?: boolean }) {
  const page = usePage()
  const draft = isCopy ? undefined : file
  const start = useCall(stopStart, { query: { projectCode } }, { quiet: true, staleMs: 0 })
  const [id] = useState(uid)
  const open = (made: string) => page.leave(hrefOf('/jgt/stopapply/details', { id: made }))
  const create = useAct(createStop, { success: (made) => `已提交 ${made.code ?? ''}`, onDone: (made) => open(made.id) })
  const change = useAct(changeStop, { success: '已提交', onDone: () => open(draft?.id ?? '') })
  if (start.error) return <ErrorPanel error={start.error} retry={start.refetch} />
  const known = start.data
  const shared = {
    title: draft ? '修改停复工申请' : '新建停复工申请',
    remark: known?.projectName,
    loading: !known,
    saveText: '提交',
    initial: known ? (file ? valuesOf(file) : startOf(known)) : {},
    schema: createStop.schemas.body,
  }
  const fields = known && <StopFields start={known} save={<SaveDraft start={known} draft={draft} newId={id} onSaved={open} />} />
  if (draft)
    return (
      <FormPage
        act={change}
        {...shared}
        input={(body) => {
          const { action: _action, id: _id, ...values } = body as unknown as Body
          return {
            params: { id: draft.id },
            query: { projectCode },
            body: { ...values, action: 'submit' as const, version: draft.version },
          }
        }}
      >
        {fields}
      </FormPage>
    )
  return (
    <FormPage
      act={create}
      {...shared}
      input={(body) => ({ query: { projectCode }, body: { ...(body as Body), action: 'submit' as const, id } })}
    >
      {fields}
    </FormPage>
  )
}

/** A new application: the first kind that the project's state allows, and what the platform knows. */
const startOf = (start: StopStart): Values => ({
  action: 'submit',
  type: start.types.find((one) => one.refusal === null)?.type,
  stopDate: day(Date.now()),
  affectAttendance: true,
  checks: resumeItems.map(({ item }) => ({
    item,
    passed: null,
    note: start.known.find((one) => one.item === item)?.fact ?? null,
    photos: [],
  })),
})
const valuesOf = (file: StopDetail): Values => ({
  action: 'submit',
  type: file.type,
  reasonType: file.reasonType,
  reason: file.reason,
  stopDate: file.stopDate,
  planResumeDate: file.planResumeDate,
  ongoingParts: file.ongoingParts,
  guardPersons: file.guardPersons,
  affectAttendance: file.affectAttendance,
  checks: resumeItems.map(({ item }) => {
    const one = file.checks.find((check) => check.item === item)
    return { item, passed: one?.passed ?? null, note: one?.note ?? null, photos: one?.photos ?? [] }
  }),
  completeCert: file.completeCert,
  attachments: file.attachments,
})

function StopFields({ start, save }: { start: StopStart; save: ReactNode }) {
  const dicts = useDicts('stopReason')
  const type = useValue('type')
  const stopDate = useValue('stopDate')
  return (
    <>
      {start.refusal && <Notice tone="warning">{start.refusal}</Notice>}
      <FieldGroup title="申请类型" remark={`${start.applyCorp ?? '项目未登记建设单位'}，项目现为${start.prjStatusName}`} actions={save}>
        <Field name="type" span="all">
          <Radio.Group className="stop-kinds">
            {start.types.map((one) => (
              <Radio key={one.type} value={one.type} disabled={one.refusal !== null}>
                {one.name}
                {one.refusal && <span className="zg-2">（{one.refusal}）</span>}
              </Radio>
            ))}
          </Radio.Group>
        </Field>
      </FieldGroup>
      {type === stopTypes.stop && (
        <FieldGroup title="停工">
          <Field name="reasonType" label="停工原因" required>
            <Choice options={dicts.options('stopReason')} />
          </Field>
          <Field name="stopDate" label="停工日期" required help="审定晚于此日的，自审定当日起停工">
            <DayInput />
          </Field>
          <Field name="planResumeDate" label="计划复工日期" required>
            <DayInput min={stopDate ?? day(Date.now())} />
          </Field>
          <Field name="ongoingParts" label="在施部位及安全保障措施" required span="all">
            <LongText rows={3} />
          </Field>
          <Field name="guardPersons" label="值守人员" required help="姓名和电话，每日巡查、值守到人">
            <LongText rows={1} />
          </Field>
          <Field name="affectAttendance" valueName="checked" label="考勤">
            <Checkbox>停工日停计考勤，日考勤记“停工”</Checkbox>
          </Field>
        </FieldGroup>
      )}
      {type === stopTypes.resume && <ResumeFields start={start} />}
      {type === stopTypes.end && (
        <FieldGroup title="竣工" remark="所有整改闭合、人员和班组退场后才能提交">
          <OpenThings start={start} />
          <Field name="completeCert" label="竣工验收证明" required span="all">
            <Upload max={mostPapers} accept={papersAccepted} maxMb={mostPaperMb} />
          </Field>
        </FieldGroup>
      )}
      <FieldGroup title="理由与附件">
        <Field name="reason" label="详细原因" required span="all">
          <LongText rows={3} />
        </Field>
        <Field name="attachments" label="三方盖章的申请表" required span="all" help="先存草稿，再打印申请表，盖章后拍照或扫描上传">
          <Upload max={mostPapers} accept={papersAccepted} maxMb={mostPaperMb} />
        </Field>
      </FieldGroup>
    </>
  )
}

function ResumeFields({ start }: { start: StopStart }) {
  return (
    <FieldGroup title="复工安全条件核查表" remark="六组逐项合格才能提交">
      <ul className="zg-work-lines zg-span-all">
        {start.stops.map((one) => (
          <li key={one.id}>在停：{one.text}</li>
        ))}
      </ul>
      {resumeItems.map(({ item, name, asks }, at) => {
        const known = start.known.find((one) => one.item === item)
        return (
          <div key={item} className="stop-check zg-span-all">
            <header>
              <b>{name}</b>
              <span className="zg-2">{asks}</span>
              {known?.fact && <Tag tone={known.ok ? 'fine' : 'warning'}>平台：{known.fact}</Tag>}
            </header>
            <Field name={`checks.${at}.passed`} label="自查结果" required>
              <Radio.Group
                options={[
                  { value: true, label: '合格' },
                  { value: false, label: '不合格' },
                ]}
              />
            </Field>
            <Field name={`checks.${at}.note`} label="说明">
              <LongText rows={2} />
            </Field>
            <Field name={`checks.${at}.photos`} label="现场照片" required>
              <Upload max={mostItemPhotos} camera="environment" />
            </Field>
          </div>
        )
      })}
    </FieldGroup>
  )
}

/** What is still open on this site: the supervision ends only without it. */
function OpenThings({ start }: { start: StopStart }) {
  if (start.open.length === 0) return null
  return (
    <dl className="stop-effects zg-span-all">
      {start.open.map((one) => (
        <Effect key={`${one.label}${one.value}`} effect={one} />
      ))}
    </dl>
  )
}

interface SaveProps {
  start: StopStart
  draft: StopDetail | undefined
  newId: string
  onSaved: (id: string) => void
}

/** Keeps what has been typed, complete or not; the printed form is on the page of the draft. */
function SaveDraft({ start, draft, newId, onSaved }: SaveProps) {
  const form = useFormInstance()
  const { projectCode } = start
  const create = useAct(createStop, { success: '草稿已保存', onDone: (made) => onSaved(made.id) })
  const change = useAct(changeStop, { success: '草稿已保存', onDone: () => onSaved(draft?.id ?? '') })
  const save = () => {
    const { action: _action, id: _id, ...values } = form.getFieldsValue(true) as Body
    return draft
      ? change.run({
          params: { id: draft.id },
          query: { projectCode },
          body: { ...values, action: 'save' as const, version: draft.version },
        })
      : create.run({ query: { projectCode }, body: { ...values, action: 'save' as const, id: newId } })
  }
  return (
    <Button loading={create.running || change.running} onClick={() => void save()}>
      存草稿
    </Button>
  )
}
