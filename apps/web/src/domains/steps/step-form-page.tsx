import { dayMs } from '@zhugong/contract/kit/time'
import { rectifyPeople } from '@zhugong/contract/rectify/calls'
import { changeStep, createStep, getStep, nextSteps, type StepDetail } from '@zhugong/contract/steps/calls'
import { concealed, linkName, pointPasses, sampleKind, stepKinds, stepWorks, workOf } from '@zhugong/contract/steps/chain'
import { mostStepPhotos, type PointInput } from '@zhugong/contract/steps/moves'
import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { FieldPhotos } from '#kit/field/field-photos.tsx'
import { useFieldForm } from '#kit/field/use-field-form.ts'
import { type BodyOf, FieldGroup, FormPage, useFormInstance, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, Choices, DayInput, LongText, TimeInput } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { uid } from '#kit/uid.ts'
import { PlaceInput } from '../places/public.tsx'
import { emptyPoints, PointFields } from './point-fields.tsx'
import { StepChain } from './step-chain.tsx'
import { anyProject, paths } from './step-words.tsx'
import './steps.css'

const { Field, useValue } = formOf(createStep)
type Body = BodyOf<typeof createStep>
const usualDays = 3

/** Accept or reject this step, on the floor. `?id=` opens a draft, `?place=&work=&kind=` a link of the chain. */
export default function StepFormPage() {
  const id = usePageQuery().get('id')
  const projectCode = useProjectCode()
  if (id) return <Draft id={id} />
  if (projectCode === '*') return <ProjectPicker why="验收哪个项目的工序" />
  return <Create key={projectCode} projectCode={projectCode} />
}

const aboutOf = (id: string, body: Pick<Body, 'part' | 'work' | 'kind' | 'remark'>) => ({
  id,
  title: `工序验收 ${body.part} ${linkName(body)}`,
  page: paths.list,
  lines: typeof body.remark === 'string' && body.remark ? [{ label: '检查情况', text: body.remark }] : [],
})

function Create({ projectCode }: { projectCode: string }) {
  const page = usePage()
  const query = usePageQuery()
  const [fresh] = useState<Values>(() => {
    const work = query.get('work') ?? undefined
    return {
      id: uid(),
      action: 'submit',
      placeId: query.get('place') ?? undefined,
      work,
      kind: query.get('kind') ?? undefined,
      checkers: [],
      photos: [],
      problems: [],
      points: work ? emptyPoints(work) : [],
    }
  })
  const [held, hold, clear] = useDeviceDraft<Values>(`step ${projectCode} ${query.get('place') ?? ''} ${query.get('work') ?? ''}`, fresh)
  const leave = (to: string) => {
    clear()
    page.leave(to)
  }
  const act = useFieldForm(createStep, ({ body }) => aboutOf(body.id, body), {
    success: '验收已提交',
    onDone: (made) => leave(made ? hrefOf(paths.detail, { id: made.id }) : paths.list),
    onKept: () => leave(paths.list),
  })
  return (
    <FormPage
      act={act}
      title="工序验收"
      remark="随写随存在本机，没有网络也能提交"
      saveText="提交验收"
      loading={!held}
      initial={held ?? fresh}
      onValues={hold}
      input={(body) => ({ query: { projectCode }, body })}
      aside={<Chain projectCode={projectCode} onPick={hold} />}
    >
      <Fields projectCode={projectCode} onFilled={hold} />
    </FormPage>
  )
}

function Draft({ id }: { id: string }) {
  const read = useCall(getStep, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0, offline: true })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  return <DraftForm key={read.data?.version ?? 'none'} id={id} file={read.data} />
}

function DraftForm({ id, file }: { id: string; file: StepDetail | undefined }) {
  const page = usePage()
  const [held, hold, clear] = useDeviceDraft<Values>(`step draft ${id} ${file?.version ?? 0}`, file ? draftOf(file) : {})
  const leave = (to: string) => {
    clear()
    page.leave(to)
  }
  const act = useFieldForm(changeStep, ({ body }) => aboutOf(`step ${id}`, body as unknown as Body), {
    success: '验收已提交',
    onDone: () => leave(hrefOf(paths.detail, { id })),
    onKept: () => leave(paths.list),
  })
  return (
    <FormPage
      act={act}
      title="工序验收"
      remark="草稿"
      saveText="提交验收"
      loading={!file || !held}
      schema={createStep.schemas.body}
      initial={held ?? {}}
      onValues={hold}
      input={(body) => {
        const { id: _id, ...fields } = body as unknown as Body
        return { params: { id }, query: anyProject, body: { ...fields, version: file?.version ?? 0 } }
      }}
      aside={file && <Chain projectCode={file.projectCode} onPick={hold} />}
    >
      {file && <Fields projectCode={file.projectCode} onFilled={hold} />}
    </FormPage>
  )
}

function draftOf(file: StepDetail): Values {
  const said = file.rounds[0]?.points ?? []
  const { id, placeId, pin, part, work, kind, corpCode, gang, begunAt, checkTime, checkers, photos, remark, problems, person, deadline } =
    file
  return {
    ...{ id, placeId, pin, part, work, kind, corpCode, gang, begunAt, checkTime, checkers, photos, remark, problems, person, deadline },
    action: 'submit',
    points: emptyPoints(work).map((point) => {
      const one = said.find((known) => known.key === point.key)
      return one ? { ...point, value: one.value, fine: one.value === null ? one.passed : null, note: one.note, photos: one.photos } : point
    }),
  }
}

/** The chain of the chosen place: what is accepted, and what may be accepted next. */
function Chain({ projectCode, onPick }: { projectCode: string; onPick: (values: Values) => void }) {
  const placeId = useValue('placeId')
  const form = useFormInstance()
  const read = useCall(
    nextSteps,
    { query: { projectCode, placeId: placeId ?? '' } },
    { quiet: true, offline: true, enabled: Boolean(placeId) },
  )
  const next = read.data?.next
  const pick = () => {
    if (!next) return
    form.setFieldsValue({ work: next.work, kind: next.kind, points: emptyPoints(next.work) })
    onPick(form.getFieldsValue(true) as Values)
  }
  if (!placeId) return <Card title="工序链">选择部位后，这里列出它的工序和下一道</Card>
  return (
    <Card title="工序链">
      {read.data?.locked && <Notice tone="warning">{read.data.locked}</Notice>}
      {next && (
        <p>
          下一道：<b>{next.name}</b>{' '}
          <Button size="small" onClick={pick}>
            验收这一道
          </Button>
        </p>
      )}
      {read.data && <StepChain chain={read.data.chain} />}
    </Card>
  )
}

function Fields({ projectCode, onFilled }: { projectCode: string; onFilled: (values: Values) => void }) {
  const dicts = useDicts('qualityProblem')
  const people = useCall(rectifyPeople, { query: { projectCode } }, { quiet: true, offline: true })
  const form = useFormInstance()
  const work = useValue('work') ?? ''
  const kind = useValue('kind') ?? ''
  const corpCode = useValue('corpCode')
  const points = (useValue('points') ?? []) as Partial<PointInput>[]
  const corps = people.data?.corps ?? []
  const names = corps.find((one) => one.code === corpCode)?.people ?? []
  const kinds = [sampleKind, ...(workOf(work)?.kinds ?? [])]
  const failed = workOf(work)?.points.some((point, i) => {
    const one = points[i]
    const said = one && (point.low === undefined ? typeof one.fine === 'boolean' : typeof one.value === 'number')
    return said && !pointPasses(point, one?.value ?? null, one?.fine ?? null)
  })
  const choose = (next: string | undefined) => {
    form.setFieldsValue({ work: next, kind: undefined, points: next ? emptyPoints(next) : [] })
    onFilled(form.getFieldsValue(true) as Values)
  }
  return (
    <>
      <FieldGroup title="部位与工序">
        <Field name="placeId" label="位置" span="all">
          <PlaceInput projectCode={projectCode} />
        </Field>
        <Field name="part" label="部位">
          <Input placeholder="例如 9 层①～⑥轴梁板" />
        </Field>
        <Field name="work" label="工序">
          <WorkChoice onChosen={choose} />
        </Field>
        <Field name="kind" label="验收类别" help={kind === concealed ? '隐蔽验收由监理签字后才能覆盖' : undefined}>
          <Choice clear={false} options={kinds.map((value) => ({ value, label: stepKinds[value] ?? value }))} />
        </Field>
        <Field name="corpCode" label="施工单位">
          <Choice clear={false} options={corps.map((one) => ({ value: one.code, label: one.name }))} />
        </Field>
        <Field name="gang" label="班组">
          <Input />
        </Field>
        <Field name="begunAt" label="本工序开工时间" help="早于上一工序验收会标红">
          <TimeInput />
        </Field>
        <Field name="checkers" label="检查人" help="不填为本人">
          <People names={names} />
        </Field>
      </FieldGroup>
      {work && <PointFields key={work} work={work} />}
      {failed && (
        <FieldGroup title="不合格处理" remark="提交后向施工单位下发工程质量整改单">
          <Field name="problems" label="质量通病">
            <Choices options={dicts.options('qualityProblem')} />
          </Field>
          <Field name="person" label="整改人">
            {names.length > 0 ? <Choice options={names.map((name) => ({ value: name, label: name }))} /> : <Input maxLength={50} />}
          </Field>
          <Field name="deadline" label="整改期限" required initial={day(Date.now() + usualDays * dayMs)}>
            <DayInput min={day(Date.now())} />
          </Field>
        </FieldGroup>
      )}
      <FieldGroup title="照片与情况">
        <Field name="photos" label={kind === concealed ? '覆盖前照片' : '现场照片'} span="all" required={kind === concealed}>
          <FieldPhotos max={mostStepPhotos} />
        </Field>
        <Field name="remark" label="检查情况" span="all">
          <LongText rows={2} />
        </Field>
      </FieldGroup>
    </>
  )
}

function WorkChoice({
  id,
  value,
  onChange,
  onChosen,
}: {
  id?: string
  value?: string
  onChange?: (work: string | undefined) => void
  onChosen: (work: string | undefined) => void
}) {
  return (
    <Choice
      {...(id ? { id } : {})}
      clear={false}
      options={stepWorks.map(({ code, name }) => ({ value: code, label: name }))}
      value={value}
      onChange={(next) => {
        onChange?.(next)
        onChosen(next)
      }}
    />
  )
}

/** Names, chosen or typed. */
function People({
  id,
  value,
  names,
  onChange,
}: {
  id?: string
  value?: string[]
  names: readonly string[]
  onChange?: (names: string[]) => void
}) {
  return (
    <Select
      {...(id ? { id } : {})}
      mode="tags"
      className="step-tags"
      value={value ?? []}
      options={names.map((name) => ({ value: name, label: name }))}
      onChange={(next: string[]) => onChange?.(next)}
    />
  )
}
