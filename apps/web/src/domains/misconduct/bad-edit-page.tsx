import {
  type BadActionDetail,
  badActionOfNotice,
  changeBadAction,
  createBadAction,
  getBadAction,
  previewBadAction,
} from '@zhugong/contract/misconduct/calls'
import {
  type BadTarget,
  badSourceNames,
  badTargets,
  mostPointsFor,
  proposalFor,
  refusedCorrection,
  typeDictionary,
} from '@zhugong/contract/misconduct/codes'
import { Button, Checkbox, Radio } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { ErrorPanel, Notice } from '#kit/feedback.tsx'
import { type BodyOf, FieldGroup, FormPage, useFormInstance, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, LongText, NumberInput, Upload } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { uid } from '#kit/uid.ts'
import { EffectCard, LikesCard } from './bad-words.tsx'
import './misconduct.css'
import { TargetChoice } from './target-choice.tsx'

const { Field, useValue } = formOf(createBadAction)
const accepted = 'image/*,application/pdf'
const mostEvidence = 20
const mostMb = 100
type Body = BodyOf<typeof createBadAction>

/** Facts, clause, points and evidence that survive an appeal: `?id=` continues a draft, `?rectifyId=` starts from a notice. */
export default function BadEditPage() {
  const query = usePageQuery()
  const chosen = useProjectCode()
  const projectCode = query.get('projectCode') ?? chosen
  const [id, rectifyId, targetType] = [query.get('id'), query.get('rectifyId'), query.get('targetType')]
  if (id) return <Begun id={id} />
  if (rectifyId) return <FromNotice rectifyId={rectifyId} />
  if (targetType === badTargets.expert) return <BadForm projectCode="*" initial={emptyOf(badTargets.expert)} />
  if (projectCode === '*') return <ProjectPicker why="不良行为发生在哪个项目" />
  return <BadForm projectCode={projectCode} initial={emptyOf(badTargets.company)} />
}

const emptyOf = (targetType: BadTarget): Values => ({
  action: 'submit',
  targetType,
  degree: targetType === badTargets.expert ? '3' : '4',
  source: '2',
  occurrenceDate: day(Date.now()),
  files: [],
  apart: false,
})

function Waiting() {
  const act = useAct(createBadAction)
  return (
    <FormPage act={act} title="不良行为" loading>
      {null}
    </FormPage>
  )
}

function Begun({ id }: { id: string }) {
  const read = useCall(getBadAction, { params: { id } }, { quiet: true, staleMs: 0 })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const file = read.data
  if (!file) return <Waiting />
  const { targetType, target, type, level, degree, occurrenceDate, fact, basis, score, source, rectifyId, files } = file
  const initial = {
    action: 'submit',
    targetType,
    target,
    type,
    level,
    degree,
    occurrenceDate,
    fact,
    basis,
    score,
    source,
    rectifyId,
    files,
    apart: false,
  }
  return <BadForm projectCode={file.projectCode ?? '*'} draft={file} initial={initial} remark={file.projectName ?? undefined} />
}

/** What an overdue notice proves is filled in; one that exists already is continued. */
function FromNotice({ rectifyId }: { rectifyId: string }) {
  const read = useCall(badActionOfNotice, { query: { rectifyId } }, { quiet: true, staleMs: 0 })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const notice = read.data
  if (!notice) return <Waiting />
  const proposal = proposalFor(badTargets.company, refusedCorrection)
  const initial = {
    ...emptyOf(badTargets.company),
    target: notice.corpCode,
    type: refusedCorrection,
    ...proposal,
    source: '1',
    rectifyId,
    occurrenceDate: notice.overdueDays > 0 ? notice.deadline : day(Date.now()),
    fact: notice.fact,
  }
  const known = notice.existing && (
    <Notice tone="warning">
      该整改单已有不良行为记录，<Link to={hrefOf('/misconductDetails', { id: notice.existing })}>查看</Link>
    </Notice>
  )
  return (
    <BadForm projectCode={notice.projectCode} initial={initial} remark={`${notice.projectName} · ${notice.code ?? ''}`} above={known} />
  )
}

interface FormProps {
  projectCode: string
  initial: Values
  draft?: BadActionDetail
  remark?: string | undefined
  above?: ReactNode
}

function BadForm({ projectCode, initial, draft, remark, above }: FormProps) {
  const page = usePage()
  const [id] = useState(uid)
  const open = (made: string) => page.leave(hrefOf('/misconductDetails', { id: made }))
  const create = useAct(createBadAction, { success: (made) => `已提交 ${made.code ?? ''}`, onDone: (made) => open(made.id) })
  const change = useAct(changeBadAction, { success: '已提交', onDone: () => open(draft?.id ?? '') })
  const shared = { title: draft ? '修改不良行为' : '新增不良行为', remark, saveText: '提交', initial, schema: createBadAction.schemas.body }
  const fields = (
    <>
      {above}
      <BadFields
        projectCode={projectCode}
        draft={draft}
        save={<SaveDraft projectCode={projectCode} draft={draft} newId={id} onSaved={open} />}
      />
    </>
  )
  if (draft)
    return (
      <FormPage
        act={change}
        {...shared}
        input={(body) => {
          const { action: _action, id: _id, projectCode: _project, ...values } = body as unknown as Body
          return { body: { ...values, action: 'submit' as const, id: draft.id, version: draft.version } }
        }}
      >
        {fields}
      </FormPage>
    )
  return (
    <FormPage act={create} {...shared} input={(body) => ({ body: { ...(body as Body), projectCode, action: 'submit' as const, id } })}>
      {fields}
    </FormPage>
  )
}

function BadFields({ projectCode, draft, save }: { projectCode: string; draft: BadActionDetail | undefined; save: ReactNode }) {
  const form = useFormInstance()
  const targetType = (useValue('targetType') ?? badTargets.company) as BadTarget
  const type = useValue('type')
  const dicts = useDicts('badActionTarget', 'corpBadActionType', 'badActionType', 'expertMisconductType', 'actionLevel', 'actionDegree')
  const mayExperts = useCan('experts.misconduct')
  const isExpert = targetType === badTargets.expert
  const targets = dicts
    .options('badActionTarget')
    .filter((one) => (projectCode === '*' ? one.value === badTargets.expert : one.value !== badTargets.expert || mayExperts))
  const retype = (next: string | undefined) => {
    if (next) form.setFieldsValue({ ...proposalFor(targetType, next) })
  }
  return (
    <>
      <FieldGroup title="对象与行为" actions={save}>
        <Field name="targetType" label="对象" required>
          <Radio.Group
            disabled={draft !== undefined}
            options={targets}
            onChange={() => form.setFieldsValue({ target: undefined, type: undefined })}
          />
        </Field>
        <Field name="target" label={isExpert ? '专家' : '企业/人员'} required>
          <TargetChoice projectCode={projectCode} targetType={targetType} />
        </Field>
        <Field name="type" label="行为类别" required>
          <TypeChoice options={dicts.options(typeDictionary(targetType))} onPick={retype} />
        </Field>
        <Field name="occurrenceDate" label="发生日期" required help="须在该对象于本项目的在场期内">
          <DayInput max={day(Date.now())} />
        </Field>
        <Field name="level" label="严重程度" required>
          <Choice clear={false} options={dicts.options('actionLevel')} />
        </Field>
        <Field
          name="score"
          label="扣分"
          required
          help={type ? `建议 ${proposalFor(targetType, type).score} 分，最多 ${mostPointsFor(targetType)} 分` : undefined}
        >
          <NumberInput min={0} max={mostPointsFor(targetType)} />
        </Field>
        <Field name="degree" label="认定级别" required>
          <Choice clear={false} options={dicts.options('actionDegree')} />
        </Field>
        <Field name="source" label="来源" required>
          <Choice clear={false} options={Object.entries(badSourceNames).map(([value, label]) => ({ value, label }))} />
        </Field>
      </FieldGroup>
      <FieldGroup title="事实与证据">
        <Field name="fact" label="事实" required span="all">
          <LongText rows={5} maxLength={2000} />
        </Field>
        <Field name="basis" label="认定依据条款" required span="all">
          <LongText rows={2} maxLength={500} />
        </Field>
        <Field name="files" label="证据" required span="all">
          <Upload max={mostEvidence} accept={accepted} maxMb={mostMb} />
        </Field>
      </FieldGroup>
      <Preview projectCode={projectCode} targetType={targetType} id={draft?.id} />
    </>
  )
}

/** A type fills in level, points and clause. */
function TypeChoice({
  onPick,
  value,
  onChange,
  ...rest
}: {
  options: readonly { value: string; label: string }[]
  onPick: (type: string | undefined) => void
  value?: string
  onChange?: (type: string | undefined) => void
}) {
  return (
    <Choice
      {...rest}
      clear={false}
      value={value}
      onChange={(next) => {
        onChange?.(next)
        onPick(next)
      }}
    />
  )
}

/** Points before and after, who decides, and records that may be about the same fact. */
function Preview({ projectCode, targetType, id }: { projectCode: string; targetType: BadTarget; id: string | undefined }) {
  const form = useFormInstance()
  const [target, type, occurrenceDate, score, rectifyId] = [
    useValue('target'),
    useValue('type'),
    useValue('occurrenceDate'),
    useValue('score'),
    useValue('rectifyId'),
  ]
  const read = useCall(
    previewBadAction,
    {
      query: {
        projectCode,
        targetType,
        target: target ?? '',
        type: type ?? '',
        score: Number(score ?? 0),
        ...(occurrenceDate ? { occurrenceDate } : {}),
        ...(rectifyId ? { rectifyId } : {}),
        ...(id ? { id } : {}),
      },
    },
    { quiet: true, enabled: Boolean(target), keepPrevious: true, staleMs: 0 },
  )
  const likes = read.data?.likes ?? []
  const hasLikes = likes.length > 0
  useEffect(() => {
    if (!hasLikes) form.setFieldsValue({ apart: false })
  }, [form, hasLikes])
  if (!target || !read.data) return null
  const { effect, decider } = read.data
  return (
    <FieldGroup title="影响预览" remark={decider ? `由 ${decider} 认定，提出人不参与认定` : undefined}>
      <div className="bad-preview zg-span-all">
        {effect && <EffectCard effect={effect} />}
        <LikesCard likes={likes} />
      </div>
      {hasLikes && (
        <Field name="apart" valueName="checked" label="核对" span="all">
          <Checkbox>已核对，与上列记录不是同一事实</Checkbox>
        </Field>
      )}
    </FieldGroup>
  )
}

interface SaveProps {
  projectCode: string
  draft: BadActionDetail | undefined
  newId: string
  onSaved: (id: string) => void
}

/** Keeps what has been typed, complete or not. */
function SaveDraft({ projectCode, draft, newId, onSaved }: SaveProps) {
  const form = useFormInstance()
  const create = useAct(createBadAction, { success: '草稿已保存', onDone: (made) => onSaved(made.id) })
  const change = useAct(changeBadAction, { success: '草稿已保存', onDone: () => onSaved(draft?.id ?? '') })
  const save = () => {
    const { action: _action, id: _id, projectCode: _project, ...values } = form.getFieldsValue(true) as Body
    return draft
      ? change.run({ body: { ...values, action: 'save' as const, id: draft.id, version: draft.version } })
      : create.run({ body: { ...values, projectCode, action: 'save' as const, id: newId } })
  }
  return (
    <Button loading={create.running || change.running} onClick={() => void save()}>
      存草稿
    </Button>
  )
}
