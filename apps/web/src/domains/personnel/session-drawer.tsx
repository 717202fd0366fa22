import { createSession } from '@zhugong/contract/personnel/training'
import { Checkbox, Input, InputNumber, Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { useAct } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Notice } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { Choice, LongText, NumberInput, TimeInput, Upload } from '#kit/inputs.tsx'
import { notify } from '#kit/notify.ts'

const { Field, useValue } = formOf(createSession)

interface Person {
  id: string
  name: string
  projectCode: string
  corpCode: string
  corpName: string | null
  teamName: string | null
}
export interface Marked {
  passed: boolean | null
  score: number | null
}

/** Creates a training session for the selected people: held, with results, or planned. */
export function SessionDrawer({ people, onClose, onDone }: { people: readonly Person[]; onClose: () => void; onDone: () => void }) {
  const [marks, setMarks] = useState<Readonly<Record<string, Marked>>>(() =>
    Object.fromEntries(people.map((p) => [p.id, { passed: true, score: null }])),
  )
  const first = people[0]
  const oneProject = people.every((p) => p.projectCode === first?.projectCode)
  const act = useAct(createSession, {
    success: false,
    onDone: (made) => {
      notify.success(made.trained ? `已登记，${made.trained} 人可以进场` : '已登记')
      onDone()
      onClose()
    },
  })
  if (!first) return null
  type Body = BodyOf<typeof createSession>
  return (
    <FormDrawer
      open
      act={act}
      title="登记培训"
      remark={people.length === 1 ? first.name : `${people.length} 人`}
      initial={{
        corpCode: first.corpCode,
        trainingType: '003002',
        name: '入场安全教育',
        startTime: time(Date.now()),
        duration: 8,
        close: true,
        files: [],
        workers: people.map((p) => ({ projectWorkerId: p.id, passed: true, score: null })),
      }}
      input={(values: Body) => ({
        query: { projectCode: first.projectCode },
        body: {
          ...values,
          workers: people.map((p) => ({
            projectWorkerId: p.id,
            ...(values.close === false ? { passed: null, score: null } : (marks[p.id] ?? { passed: true, score: null })),
          })),
        },
      })}
      onClose={onClose}
    >
      {!oneProject && <Notice tone="danger">一场培训只能登记同一个项目的人员，请分项目办理。</Notice>}
      <SessionFields corps={corpsOf(people)} />
      <Results people={people} marks={marks} onChange={setMarks} />
    </FormDrawer>
  )
}

const corpsOf = (people: readonly Person[]) => [
  ...new Map(people.map((p) => [p.corpCode, { value: p.corpCode, label: p.corpName ?? p.corpCode }])).values(),
]

function SessionFields({ corps }: { corps: readonly { value: string; label: string }[] }) {
  const dicts = useDicts('trainingType')
  return (
    <>
      <Field name="trainingType" label="培训类型">
        <Choice clear={false} options={dicts.options('trainingType')} />
      </Field>
      <Field name="name" label="培训名称">
        <Input maxLength={100} />
      </Field>
      <Field name="corpCode" label="组织单位">
        <Choice clear={false} options={corps} />
      </Field>
      <Field name="trainer" label="授课人">
        <Input maxLength={50} />
      </Field>
      <Field name="startTime" label="开始时间">
        <TimeInput />
      </Field>
      <Field name="duration" label="学时" help="三级教育：公司、项目各不少于 15，班组不少于 20">
        <NumberInput min={0.5} max={72} step={0.5} unit="学时" />
      </Field>
      <Field name="address" label="地点">
        <Input maxLength={200} />
      </Field>
      <Field name="content" label="培训内容" span="all">
        <LongText rows={3} maxLength={2000} />
      </Field>
      <Field name="files" label="签到表和照片" span="all">
        <Upload max={12} accept="image/*,application/pdf,.mp4" maxMb={500} />
      </Field>
      <Field name="close" label="考核" span="all">
        <KeptOrPlanned />
      </Field>
    </>
  )
}

function KeptOrPlanned({ value, onChange }: { value?: boolean; onChange?: (value: boolean) => void }) {
  return (
    <Segmented
      value={value === false ? 'planned' : 'held'}
      onChange={(next) => onChange?.(next === 'held')}
      options={[
        { value: 'held', label: '已培训，登记结果' },
        { value: 'planned', label: '先排人，培训后登记' },
      ]}
    />
  )
}

function Results({
  people,
  marks,
  onChange,
}: {
  people: readonly Person[]
  marks: Readonly<Record<string, Marked>>
  onChange: (marks: Readonly<Record<string, Marked>>) => void
}) {
  const current = useValue('close') !== false
  return <MarkList people={people} marks={marks} onChange={onChange} readOnly={!current} />
}

/** Results of a session by person: passed or not, optionally with a score. */
export function MarkList({
  people,
  marks,
  onChange,
  readOnly = false,
}: {
  people: readonly Pick<Person, 'id' | 'name' | 'teamName'>[]
  marks: Readonly<Record<string, Marked>>
  onChange: (marks: Readonly<Record<string, Marked>>) => void
  readOnly?: boolean
}) {
  const passed = useMemo(() => people.filter((p) => marks[p.id]?.passed).length, [people, marks])
  const set = (id: string, change: Partial<Marked>) => onChange({ ...marks, [id]: { passed: null, score: null, ...marks[id], ...change } })
  return (
    <fieldset className="per-marklist">
      <legend>
        参训 {people.length} 人{readOnly ? '' : `，合格 ${passed} 人`}
      </legend>
      {people.map((p) => (
        <div key={p.id}>
          <span>{p.name}</span>
          <span className="zg-2">{p.teamName}</span>
          {!readOnly && (
            <>
              <InputNumber
                size="small"
                min={0}
                max={100}
                value={marks[p.id]?.score ?? null}
                aria-label={`${p.name} 成绩`}
                placeholder="成绩"
                onChange={(score) => set(p.id, { score })}
              />
              <Checkbox checked={marks[p.id]?.passed === true} onChange={(event) => set(p.id, { passed: event.target.checked })}>
                合格
              </Checkbox>
            </>
          )}
        </div>
      ))}
    </fieldset>
  )
}
