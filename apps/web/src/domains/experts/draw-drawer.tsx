import { groupTypes } from '@zhugong/contract/access/group-types'
import { drawCandidates, freezeDraw, halves, leastPerSeat } from '@zhugong/contract/experts/draws'
import { pickProjects } from '@zhugong/contract/organisation/projects'
import { Checkbox, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Notice } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, DayInput, NumberInput } from '#kit/inputs.tsx'
import { useGroupType, useProjectCode } from '#kit/me.ts'
import { inDays, today } from './days.ts'
import { ExpertChoice } from './expert-words.tsx'

const { Field, FieldList, useValue } = formOf(freezeDraw)
const mostProjects = 100
const halfOptions = Object.entries(halves).map(([value, label]) => ({ value, label }))

interface Repeat {
  id: string
  code: string
  projectCode: string | null
  initial: Values
}

/** Meeting, specialties and numbers, recusals; freezing the list leads to the draw itself. `repeat` draws again for the same meeting. */
export function DrawDrawer({ repeat, onFrozen, onClose }: { repeat?: Repeat; onFrozen: (id: string) => void; onClose: () => void }) {
  const here = useProjectCode()
  const [projectCode, setProjectCode] = useState(repeat ? (repeat.projectCode ?? '*') : here)
  const isAuthority = useGroupType() === groupTypes.government
  const act = useAct(freezeDraw, { success: '名单已冻结', onDone: ({ id }) => onFrozen(id) })
  return (
    <FormDrawer
      open
      width={820}
      act={act}
      title={repeat ? `重抽 ${repeat.code}` : '抽取专家'}
      saveText="冻结名单，下一步抽取"
      initial={
        repeat?.initial ?? {
          purpose: '1',
          meetingDate: inDays(3),
          half: 'am',
          replyHours: 24,
          hideNames: true,
          overScale: false,
          quotas: [{ specialty: undefined, seats: 5 }],
          exclusions: [],
        }
      }
      input={(body: BodyOf<typeof freezeDraw>) => ({ query: { projectCode }, body: { ...body, repeatOf: repeat?.id ?? null } })}
      onClose={onClose}
    >
      <div className="zg-span-all expert-first">
        <label className="zg-label" htmlFor="draw-project">
          项目
        </label>
        <Projects value={projectCode} fixed={repeat !== undefined} optional={isAuthority} onChange={setProjectCode} />
      </div>
      <Meeting isAuthority={isAuthority} />
      {repeat && (
        <Field name="reason" label="重抽原因" required span="all" help="原抽取保留，两次并列可查">
          <Input maxLength={500} />
        </Field>
      )}
      <Quotas />
      <Candidates projectCode={projectCode} />
      <Exclusions />
    </FormDrawer>
  )
}

function Projects({
  value,
  fixed,
  optional,
  onChange,
}: {
  value: string
  fixed: boolean
  optional: boolean
  onChange: (code: string) => void
}) {
  const read = useCall(pickProjects, { query: { page: 1, size: mostProjects } }, { quiet: true })
  return (
    <Choice
      id="draw-project"
      disabled={fixed}
      loading={!read.data}
      placeholder={optional ? '与项目无关可不选' : '请选择项目'}
      options={(read.data?.list ?? []).map((one) => ({ value: one.projectCode, label: one.name }))}
      value={value === '*' ? undefined : value}
      onChange={(next) => onChange(next || '*')}
    />
  )
}

function Meeting({ isAuthority }: { isAuthority: boolean }) {
  const dicts = useDicts('expertActivityType')
  return (
    <>
      <Field name="title" label="会议名称" required span="all">
        <Input maxLength={100} placeholder="深基坑工程专项施工方案论证会" />
      </Field>
      <Field name="purpose" label="用途" required>
        <Choice clear={false} options={dicts.options('expertActivityType')} />
      </Field>
      <Field name="place" label="地点" required>
        <Input maxLength={100} />
      </Field>
      <Field name="meetingDate" label="日期" required>
        <DayInput min={today()} />
      </Field>
      <Field name="half" label="时段" required>
        <Choice clear={false} options={halfOptions} />
      </Field>
      <Field name="replyHours" label="答复时限" required help="超时未答复自动顺延候补">
        <NumberInput unit="小时" min={1} max={72} />
      </Field>
      <Field name="overScale" valueName="checked" label="超规模">
        <Checkbox>超过一定规模的危大工程（不少于 5 名）</Checkbox>
      </Field>
      {isAuthority && (
        <Field name="hideNames" valueName="checked" label="名单保密">
          <Checkbox>会议当天才向项目公开名单</Checkbox>
        </Field>
      )}
    </>
  )
}

function Quotas() {
  const dicts = useDicts('expertSpecialty')
  return (
    <FieldList name="quotas" add="增加专业" max={8}>
      {({ name, remove, index }) => (
        <div className="expert-quota">
          <Field name={name('specialty')} label="专业" required>
            <Choice clear={false} options={dicts.options('expertSpecialty')} />
          </Field>
          <Field name={name('seats')} label="人数" required>
            <NumberInput unit="人" min={1} max={15} />
          </Field>
          <button type="button" className="zg-bare zg-link" onClick={remove} aria-label={`删除第 ${index + 1} 个专业`}>
            删除
          </button>
        </div>
      )}
    </FieldList>
  )
}

/** Numbers only: names are not shown before the draw. */
function Candidates({ projectCode }: { projectCode: string }) {
  const meetingDate = useValue('meetingDate')
  const half = useValue('half')
  const quotas = (useValue('quotas') ?? []).filter((one) => one?.specialty)
  const excluded = (useValue('exclusions') ?? []).flatMap((one) => one?.expert ?? [])
  const specialties = quotas.map((one) => one.specialty).join()
  const read = useCall(
    drawCandidates,
    { query: { projectCode, meetingDate: meetingDate ?? '', half: half ?? 'am', specialties, excluded: excluded.join() || undefined } },
    { quiet: true, keepPrevious: true, enabled: Boolean(meetingDate && half && specialties) },
  )
  return (
    <div className="zg-span-all expert-candidates" aria-live="polite">
      {!specialties && <p className="zg-2">选择专业后显示候选人数</p>}
      {read.error && <Notice tone="warning">{read.error.message}</Notice>}
      {specialties !== '' &&
        read.data?.list.map((one) => {
          const seats = Number(quotas.find((quota) => quota.specialty === one.specialty)?.seats ?? 0)
          const short = one.candidates < seats * leastPerSeat
          return (
            <p key={one.specialty}>
              {one.name}：候选 <b className={short ? 'tone-danger' : 'tone-fine'}>{one.candidates}</b> 人
              <span className="zg-2">
                （回避 {one.recused}，时段占用 {one.busy}，轮换 {one.cooling}）
              </span>
              {short && <span className="tone-danger"> 不足：每席少于 {leastPerSeat} 名候选，近于指定</span>}
            </p>
          )
        })}
      {read.data && read.data.recusals.length > 0 && (
        <p className="zg-2">回避：{read.data.recusals.map((one) => `${one.name}（${one.reason}）`).join('、')}</p>
      )}
    </div>
  )
}

function Exclusions() {
  return (
    <FieldList name="exclusions" add="增加回避" max={50}>
      {({ name, remove, index }) => (
        <div className="expert-quota">
          <Field name={name('expert')} label="回避专家" required>
            <ExpertChoice />
          </Field>
          <Field name={name('reason')} label="原因" required>
            <Input maxLength={200} />
          </Field>
          <button type="button" className="zg-bare zg-link" onClick={remove} aria-label={`删除第 ${index + 1} 名回避`}>
            删除
          </button>
        </div>
      )}
    </FieldList>
  )
}
