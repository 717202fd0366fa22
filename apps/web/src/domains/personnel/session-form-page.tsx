import { leastHours } from '@zhugong/contract/personnel/train-model'
import { createSession, trainPeople } from '@zhugong/contract/personnel/training'
import { Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { type BodyOf, FieldGroup, FormPage, useFormInstance, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { Choice, LongText, NumberInput, TimeInput, Upload } from '#kit/inputs.tsx'
import { useMe, useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { SessionPeople } from './session-people.tsx'
import { sessionPaths, usualContent } from './session-words.tsx'
import './personnel.css'

const { Field, useValue } = formOf(createSession)
type Body = BodyOf<typeof createSession>
const usualHours = 4
const usualStart = '08:00:00'

/** Plan a session, or begin one now: sign-in and marks follow on its page. `?proposal=` and `?importId=` choose the people. */
export default function SessionFormPage() {
  const projectCode = useProjectCode()
  if (projectCode === '*') return <ProjectPicker why="在哪个项目培训" />
  return <Create key={projectCode} projectCode={projectCode} />
}

function Create({ projectCode }: { projectCode: string }) {
  const page = usePage()
  const query = usePageQuery()
  const own = useMe((me) => me.info?.name ?? '')
  const type = query.get('type') ?? '003002'
  const proposal = query.get('proposal')
  const [fresh] = useState<Values>(() => ({
    trainingType: type,
    name: query.get('name') ?? '入场安全教育',
    trainer: own,
    startTime: query.get('day') ? `${query.get('day')} ${usualStart}` : time(Date.now()),
    duration: leastHours[type] ?? usualHours,
    address: '项目安全教育室',
    content: usualContent[type] ?? '',
    files: [],
    close: false,
    sourceKey: proposal && proposal !== 'entry' ? proposal : null,
    workers: query.get('workerIds')?.split(',').filter(Boolean) ?? [],
  }))
  const [held, hold, clear] = useDeviceDraft<Values>(`training ${projectCode} ${proposal ?? query.get('importId') ?? ''}`, fresh)
  const people = useCall(trainPeople, { query: { projectCode } }, { quiet: true })
  const act = useAct(createSession, {
    success: '已安排，按时签到、登记成绩',
    onDone: ({ id }) => {
      clear()
      page.leave(hrefOf(sessionPaths.detail, { id }))
    },
  })
  return (
    <FormPage
      act={act}
      title="项目安全培训"
      remark="随写随存在本机；签到和成绩在保存后的场次页办理"
      saveText="保存并去签到"
      loading={!held || !people.data}
      initial={{ corpCode: people.data?.corps[0]?.code, ...(held ?? fresh) }}
      onValues={hold}
      input={(values: Body) => {
        const stays = values.workers as unknown as string[]
        return {
          query: { projectCode },
          body: { ...values, close: false, workers: (stays ?? []).map((projectWorkerId) => ({ projectWorkerId })) },
        }
      }}
    >
      <Fields projectCode={projectCode} corps={people.data?.corps ?? []} onFilled={hold} />
    </FormPage>
  )
}

function Fields({
  projectCode,
  corps,
  onFilled,
}: {
  projectCode: string
  corps: readonly { code: string; name: string }[]
  onFilled: (values: Values) => void
}) {
  const dicts = useDicts('trainingType')
  const form = useFormInstance()
  const type = useValue('trainingType') ?? ''
  const duration = Number(useValue('duration') ?? 0)
  const least = leastHours[type]
  const choose = (next: string | undefined) => {
    if (!next) return
    const before = form.getFieldValue('content') as string | undefined
    // What was written by hand stays.
    const own = before && !Object.values(usualContent).includes(before)
    form.setFieldsValue({
      trainingType: next,
      name: dicts.options('trainingType').find((one) => one.value === next)?.label ?? '',
      duration: leastHours[next] ?? usualHours,
      ...(own ? {} : { content: usualContent[next] ?? '' }),
    })
    onFilled(form.getFieldsValue(true) as Values)
  }
  return (
    <>
      <FieldGroup title="培训">
        <Field name="trainingType" label="培训类型">
          <TypeChoice options={dicts.options('trainingType')} onChosen={choose} />
        </Field>
        <Field name="name" label="培训名称">
          <Input />
        </Field>
        <Field name="trainer" label="培训人">
          <Input />
        </Field>
        <Field name="startTime" label="开始时间">
          <TimeInput />
        </Field>
        <Field
          name="duration"
          label="学时"
          help={least ? (duration < least ? `不足 ${least} 学时，三级教育卡上标红` : `要求 ${least} 学时`) : undefined}
        >
          <NumberInput min={0.5} max={72} step={0.5} unit="学时" />
        </Field>
        <Field name="address" label="地点">
          <Input />
        </Field>
        <Field name="corpCode" label="组织单位">
          <Choice clear={false} options={corps.map((one) => ({ value: one.code, label: one.name }))} />
        </Field>
        <Field name="content" label="培训内容" span="all">
          <LongText rows={4} maxLength={2000} />
        </Field>
        <Field name="files" label="教材与附件" span="all">
          <Upload max={12} accept="image/*,application/pdf,.mp4" maxMb={500} />
        </Field>
      </FieldGroup>
      <FieldGroup title="参训人员" remark="可以先排时间，之后再加人">
        <Field name="workers" label="人员" span="all" required={false}>
          <SessionPeople projectCode={projectCode} />
        </Field>
      </FieldGroup>
    </>
  )
}

function TypeChoice({
  id,
  value,
  onChange,
  options,
  onChosen,
}: {
  id?: string
  value?: string
  onChange?: (type: string | undefined) => void
  options: readonly { value: string; label: string }[]
  onChosen: (type: string | undefined) => void
}) {
  return (
    <Choice
      {...(id ? { id } : {})}
      clear={false}
      options={options}
      value={value}
      onChange={(next) => {
        onChange?.(next)
        onChosen(next)
      }}
    />
  )
}
