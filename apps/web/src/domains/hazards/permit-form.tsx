import { mostHazardPhotos } from '@zhugong/contract/hazards/moves'
import { mostWorkers, type PermitAction } from '@zhugong/contract/hazards/permit-moves'
import {
  approvers,
  confinedSpace,
  gradeOf,
  hotWork,
  hoursIn,
  liftingWork,
  permitTypes,
  weatherTypes,
} from '@zhugong/contract/hazards/permit-rules'
import { changePermit, createPermit, getPermit, type PermitDetail, permitPeople } from '@zhugong/contract/hazards/permits'
import { hourMs } from '@zhugong/contract/kit/time'
import { Checkbox, Input, Select } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Card, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { FieldPhotos } from '#kit/field/field-photos.tsx'
import { useFieldForm } from '#kit/field/use-field-form.ts'
import { type BodyOf, FieldGroup, FormPage, useFormInstance, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { Choice, TimeInput, Upload } from '#kit/inputs.tsx'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { uid } from '#kit/uid.ts'
import { PlaceField, useSetup } from './hazard-form.tsx'
import { anyProject, paths, typeOptions } from './hazard-words.tsx'

const { Field, useValue } = formOf(createPermit)
type Body = BodyOf<typeof createPermit>
const usualHours = 4

const aboutOf = (id: string, { type, part, content }: Pick<Body, 'type' | 'part' | 'content'>) => ({
  id,
  title: `${permitTypes[type]?.name ?? '作业'}票 ${part}`,
  page: paths.list,
  lines: [{ label: '作业内容', text: content }],
})
const measuresOf = (type: string) => (permitTypes[type]?.measures ?? []).map((_one, seq) => ({ seq, done: false, photos: [] }))

export function NewPermit({ projectCode }: { projectCode: string }) {
  const page = usePage()
  const query = usePageQuery()
  const [fresh] = useState<Values>(() => ({
    id: uid(),
    action: 'submit',
    startTime: time(Date.now()),
    endTime: time(Date.now() + usualHours * hourMs),
    hazardId: query.get('hazard'),
    part: query.get('part') ?? undefined,
    workers: [],
    measures: [],
  }))
  const [held, hold, clear] = useDeviceDraft<Values>(`permit ${projectCode}`, fresh)
  const leave = (to: string) => {
    clear()
    page.leave(to)
  }
  const act = useFieldForm(createPermit, ({ body }) => aboutOf(body.id, body), {
    success: '作业票已提交',
    onDone: (made) => leave(made ? hrefOf(paths.detail, { permit: made.id }) : `${paths.list}?kind=permit`),
    onKept: () => leave(`${paths.list}?kind=permit`),
  })
  return (
    <FormPage
      act={act}
      title="开作业票"
      remark="随写随存在本机，没有网络也能提交"
      saveText="提交审批"
      loading={!held}
      initial={held ?? fresh}
      onValues={hold}
      input={(body) => ({ query: { projectCode }, body })}
      aside={<Rules />}
    >
      <Fields projectCode={projectCode} onFilled={hold} />
    </FormPage>
  )
}

export function EditPermit({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(getPermit, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const file = read.data
  const act = useAct(changePermit, { success: '作业票已提交', onDone: () => page.leave(hrefOf(paths.detail, { permit: id })) })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  return (
    <FormPage
      key={file?.version ?? 'none'}
      act={act}
      title="修改作业票"
      remark={file?.content}
      saveText="提交审批"
      loading={!file}
      schema={createPermit.schemas.body}
      initial={file ? valuesOf(file) : {}}
      input={(body) => {
        const { id: _id, action: _action, ...fields } = body as unknown as Body
        const action: PermitAction = 'submit'
        return { params: { id }, query: anyProject, body: { ...fields, action, version: file?.version ?? 0 } }
      }}
      aside={<Rules />}
    >
      {file && <Fields projectCode={file.projectCode} online onFilled={() => undefined} />}
    </FormPage>
  )
}

function valuesOf(file: PermitDetail): Values {
  const { id, type, level, content, part, placeId, pin, corpCode, startTime, endTime, hazard, device, people, measures } = file
  const of = (role: string) => people.filter((one) => one.role === role && one.until === null).map((one) => one.workerId)
  return {
    ...{ id, type, level, content, part, placeId, pin, corpCode, startTime, endTime },
    action: 'submit',
    hazardId: hazard?.id ?? null,
    deviceId: device?.id ?? null,
    driverId: of('driver')[0] ?? null,
    workers: of('worker'),
    guardianId: of('guardian')[0],
    measures: measures.map(({ seq, done, photos }) => ({ seq, done, photos })),
  }
}

/** What the chosen type asks. */
function Rules() {
  const type = useValue('type')
  const level = useValue('level')
  const kind = type ? permitTypes[type] : undefined
  if (!kind) return <Card title="作业要求">选择作业类型后，这里列出最长时间、批准人和措施</Card>
  const grade = gradeOf(type ?? '', Object.keys(kind.grades)[0] ? (level ?? null) : null)
  return (
    <Card title="作业要求">
      {grade ? (
        <p>
          最长 {hoursIn(grade.most)}，由{approvers[grade.approver]}批准，到时自动结束。
        </p>
      ) : (
        <p>选择级别后显示最长时间和批准人。</p>
      )}
      <p className="zg-2">监护人不得是作业人员。开工时须在场、证书有效、现场未停工。</p>
      {type === hotWork && <p className="zg-2">动火结束 30 分钟后检查余火，附照片才能完工。</p>}
      {type === hotWork && <p className="zg-2">容器、管道内或有可燃气处动火，批准后先登记气体检测，合格才能开工。</p>}
      {type === confinedSpace && <p className="zg-2">开工前 30 分钟内检测气体，合格才能开工。</p>}
    </Card>
  )
}

function Fields({ projectCode, online = false, onFilled }: { projectCode: string; online?: boolean; onFilled: (values: Values) => void }) {
  const form = useFormInstance()
  const setup = useSetup(projectCode).data
  const type = useValue('type') ?? ''
  const corpCode = useValue('corpCode')
  const kind = permitTypes[type]
  const levels = Object.keys(kind?.grades ?? {}).filter(Boolean)
  const workers = (useValue('workers') ?? []) as string[]
  const people = useCall(
    permitPeople,
    { query: { projectCode, type: type || '99' } },
    { quiet: true, offline: true, enabled: Boolean(type) },
  ).data?.people
  const choose = (next: string | undefined) => {
    form.setFieldsValue({ type: next, level: null, workers: [], driverId: null, deviceId: null, measures: measuresOf(next ?? '') })
    onFilled(form.getFieldsValue(true) as Values)
  }
  const ofCorp = people?.filter((one) => !corpCode || one.corpCode === corpCode)
  return (
    <>
      {weatherTypes.includes(type) &&
        setup?.weather.map((one) => (
          <Notice key={one} tone="warning">
            {one}，此刻不宜{kind?.name}
          </Notice>
        ))}
      <FieldGroup title="作业">
        <Field name="type" label="作业类型">
          <TypeChoice onChosen={choose} />
        </Field>
        {levels.length > 0 && (
          <Field name="level" label="级别" required>
            <Choice clear={false} options={levels.map((one) => ({ value: one, label: one }))} />
          </Field>
        )}
        <Field name="content" label="作业内容">
          <Input placeholder="例如 屋面钢梁焊接" />
        </Field>
        <Field name="part" label="作业部位">
          <Input />
        </Field>
        <PlaceField projectCode={projectCode} onFilled={onFilled} />
        <Field name="corpCode" label="作业单位">
          <Choice clear={false} options={(setup?.corps ?? []).map((one) => ({ value: one.code, label: one.name }))} loading={!setup} />
        </Field>
        <Field name="startTime" label="开始">
          <TimeInput />
        </Field>
        <Field name="endTime" label="结束" help="到时自动结束，未完工须申请延时">
          <TimeInput />
        </Field>
        <Field name="hazardId" label="关联危险源">
          <Choice
            options={(setup?.hazards ?? []).map((one) => ({ value: one.id, label: `${one.riskLevel} 级 ${one.name} ${one.part}` }))}
            loading={!setup}
          />
        </Field>
      </FieldGroup>
      {type && (
        <FieldGroup title="人员">
          <Field name="workers" label="作业人员" span="all" help="不能选择的人写明原因">
            <People people={ofCorp} />
          </Field>
          {type === liftingWork && (
            <>
              <Field name="deviceId" label="起重设备" required>
                <Choice
                  clear={false}
                  options={(setup?.machines ?? []).map((one) => ({ value: one.id, label: one.name }))}
                  loading={!setup}
                />
              </Field>
              <Field name="driverId" label="司机" required>
                <Person people={people} reason={(one) => one.unfitDriver} />
              </Field>
            </>
          )}
          <Field name="guardianId" label="监护人">
            <Person people={people} reason={(one) => (workers.includes(one.workerId) ? '是作业人员' : null)} />
          </Field>
        </FieldGroup>
      )}
      {kind && (
        <FieldGroup title="安全措施" remark="逐项确认；标有照片的须附现场照片">
          {kind.measures.map((measure, seq) => (
            <div key={measure.text} className="hazard-measure zg-span-all">
              <Field name={`measures.${seq}.done`} label={measure.text} valueName="checked">
                <Checkbox>已确认</Checkbox>
              </Field>
              {measure.photo && (
                <Field name={`measures.${seq}.photos`} label="现场照片" required>
                  {online ? <Upload max={mostHazardPhotos} /> : <FieldPhotos max={mostHazardPhotos} />}
                </Field>
              )}
            </div>
          ))}
        </FieldGroup>
      )}
    </>
  )
}

function TypeChoice({
  id,
  value,
  onChange,
  onChosen,
}: {
  id?: string
  value?: string
  onChange?: (type: string | undefined) => void
  onChosen: (type: string | undefined) => void
}) {
  return (
    <Choice
      {...(id ? { id } : {})}
      clear={false}
      options={typeOptions}
      value={value}
      onChange={(next) => {
        onChange?.(next)
        onChosen(next)
      }}
    />
  )
}

interface Worker {
  workerId: string
  name: string
  teamName: string | null
  inside: boolean
  unfit: string | null
  unfitDriver: string | null
}
const optionsOf = (people: readonly Worker[] | undefined, reason: (one: Worker) => string | null) =>
  (people ?? [])
    .map((one) => ({ one, why: reason(one) }))
    .sort((a, b) => Number(a.why !== null) - Number(b.why !== null))
    .map(({ one, why }) => ({
      value: one.workerId,
      disabled: why !== null,
      label: [one.name, one.teamName, one.inside ? '在场' : '不在场', why].filter(Boolean).join(' · '),
    }))

/** Workers of the company; whoever may not do this work stands there with the reason. */
function People({
  id,
  value,
  people,
  onChange,
}: {
  id?: string
  value?: string[]
  people: readonly Worker[] | undefined
  onChange?: (ids: string[]) => void
}) {
  return (
    <Select
      {...(id ? { id } : {})}
      mode="multiple"
      className="hazard-wide"
      maxCount={mostWorkers}
      showSearch={{ optionFilterProp: 'label' }}
      loading={!people}
      value={people ? (value ?? []) : []}
      options={optionsOf(people, (one) => one.unfit)}
      onChange={(next: string[]) => onChange?.(next)}
    />
  )
}

/** One person of the site, with the reason beside those who may not. */
export function Person({
  id,
  value,
  people,
  reason,
  onChange,
}: {
  id?: string
  value?: string | null
  people: readonly Worker[] | undefined
  reason: (one: Worker) => string | null
  onChange?: (id: string | undefined) => void
}) {
  return (
    <Select
      {...(id ? { id } : {})}
      className="hazard-wide"
      showSearch={{ optionFilterProp: 'label' }}
      loading={!people}
      value={people ? (value ?? null) : null}
      options={optionsOf(people, reason)}
      onChange={(next: string | null) => onChange?.(next ?? undefined)}
    />
  )
}
