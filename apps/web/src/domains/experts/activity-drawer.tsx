import { groupTypes } from '@zhugong/contract/access/group-types'
import { createActivity } from '@zhugong/contract/experts/activities'
import { type DrawDetail as Draw, getDraw, halves, listDraws } from '@zhugong/contract/experts/draws'
import { pickProjects } from '@zhugong/contract/organisation/projects'
import { Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { DetailSkeleton, Notice } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, DayInput, LongText } from '#kit/inputs.tsx'
import { useGroupType, useProjectCode } from '#kit/me.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { inDays, today } from './days.ts'
import { ExpertChoice } from './expert-words.tsx'

const { Field, FieldList } = formOf(createActivity)
const halfOptions = Object.entries(halves).map(([value, label]) => ({ value, label }))
const roles = [
  { value: '组长', label: '组长' },
  { value: '成员', label: '成员' },
]
interface Props {
  onClose: () => void
  onMade: (id: string) => void
}

/** From a draw, with its experts; or without one, then with a reason. */
export function ActivityDrawer({ drawId, onClose, onMade }: Props & { drawId?: string | undefined }) {
  const [chosen, setChosen] = useState(drawId)
  const draw = useCall(getDraw, { params: { id: chosen ?? '' }, query: { projectCode: '*' } }, { quiet: true, enabled: Boolean(chosen) })
  if (chosen && !draw.data)
    return (
      <PageDrawer open title="新建活动" onClose={onClose}>
        {draw.error ? <Notice tone="danger">{draw.error.message}</Notice> : <DetailSkeleton />}
      </PageDrawer>
    )
  return <Form key={chosen ?? ''} draw={draw.data} onChoose={setChosen} onClose={onClose} onMade={onMade} />
}

function Form({ draw, onChoose, onClose, onMade }: Props & { draw: Draw | undefined; onChoose: (id: string | undefined) => void }) {
  const here = useProjectCode()
  const [projectCode, setProjectCode] = useState(here)
  const act = useAct(createActivity, { success: '活动已建', onDone: ({ id }) => onMade(id) })
  const initial = draw
    ? {
        drawId: draw.id,
        activityType: draw.purpose,
        title: draw.title,
        date: draw.meetingDate,
        half: draw.half,
        place: draw.place,
        overScale: draw.overScale,
        experts: [],
      }
    : { drawId: null, activityType: '2', date: inDays(1), half: 'am', overScale: false, experts: [{ role: '组长' }] }
  return (
    <FormDrawer
      open
      act={act}
      title="新建活动"
      remark={draw?.code}
      initial={initial}
      input={(body: BodyOf<typeof createActivity>) => ({ query: { projectCode: draw?.projectCode ?? projectCode }, body })}
      onClose={onClose}
    >
      <DrawChoice draw={draw} onChoose={onChoose} />
      {!draw && <ProjectField value={projectCode} onChange={setProjectCode} />}
      <Fields fixed={draw !== undefined} />
      {draw ? (
        <Notice tone="info">
          参加专家：
          {(draw.seats ?? [])
            .filter((one) => one.reply === 'accepted')
            .map((one) => one.name)
            .join('、') || '还没有人同意'}
        </Notice>
      ) : (
        <Guests />
      )}
    </FormDrawer>
  )
}

function DrawChoice({ draw, onChoose }: { draw: Draw | undefined; onChoose: (id: string | undefined) => void }) {
  const read = useCall(listDraws, { query: { projectCode: '*', state: '1,2', size: 50 } }, { quiet: true })
  return (
    <div className="zg-span-all expert-first">
      <label className="zg-label" htmlFor="activity-draw">
        抽取
      </label>
      <Choice
        id="activity-draw"
        loading={!read.data}
        placeholder="不经抽取的活动须写明原因"
        options={(read.data?.list ?? []).map((one) => ({ value: one.id, label: `${one.code} ${one.title}` }))}
        value={draw?.id}
        onChange={(next) => onChoose(next || undefined)}
      />
    </div>
  )
}

function ProjectField({ value, onChange }: { value: string; onChange: (code: string) => void }) {
  const read = useCall(pickProjects, { query: { page: 1, size: 100 } }, { quiet: true })
  const optional = useGroupType() === groupTypes.government
  return (
    <div className="zg-span-all expert-first">
      <label className="zg-label" htmlFor="activity-project">
        项目
      </label>
      <Choice
        id="activity-project"
        loading={!read.data}
        placeholder={optional ? '与项目无关可不选' : '请选择项目'}
        options={(read.data?.list ?? []).map((one) => ({ value: one.projectCode, label: one.name }))}
        value={value === '*' ? undefined : value}
        onChange={(next) => onChange(next || '*')}
      />
    </div>
  )
}

function Fields({ fixed }: { fixed: boolean }) {
  const dicts = useDicts('expertActivityType')
  return (
    <>
      <Field name="title" label="活动名称" required span="all">
        <Input maxLength={100} />
      </Field>
      {!fixed && (
        <>
          <Field name="activityType" label="类型" required>
            <Choice clear={false} options={dicts.options('expertActivityType')} />
          </Field>
          <Field name="noDrawReason" label="未抽取原因" required>
            <Input maxLength={200} />
          </Field>
          <Field name="date" label="日期" required>
            <DayInput min={today()} />
          </Field>
          <Field name="half" label="时段" required>
            <Choice clear={false} options={halfOptions} />
          </Field>
        </>
      )}
      <Field name="place" label="地点" required>
        <Input maxLength={100} />
      </Field>
      <Field name="content" label="内容" required span="all">
        <LongText rows={3} maxLength={1000} />
      </Field>
    </>
  )
}

function Guests() {
  return (
    <FieldList name="experts" add="增加专家" max={30}>
      {({ name, remove, index }) => (
        <div className="expert-quota">
          <Field name={name('expert')} label="专家" required>
            <ExpertChoice />
          </Field>
          <Field name={name('role')} label="角色" required>
            <Choice clear={false} options={roles} />
          </Field>
          <button type="button" className="zg-bare zg-link" onClick={remove} aria-label={`删除第 ${index + 1} 名专家`}>
            删除
          </button>
        </div>
      )}
    </FieldList>
  )
}
