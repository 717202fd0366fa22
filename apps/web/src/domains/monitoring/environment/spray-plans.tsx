import {
  createSprayPlan,
  listSprayPlans,
  removeSprayPlan,
  type SprayPlan,
  type SprayPlanRun,
  type SprayRunState,
  sprayPlanRunList,
  sprayRunStates,
  updateSprayPlan,
  weekDays,
} from '@zhugong/contract/linkage/spray-plans'
import { Button, Input, Segmented, Switch } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import type { Control } from '#kit/control.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Tag } from '#kit/feedback.tsx'
import { FormDrawer, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { Choice, Choices, ClockInput, NumberInput } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { EditedList } from '../edited-list.tsx'

const { Field } = formOf(createSprayPlan, updateSprayPlan)

const mostPlans = 100
const usualMinutes = 10
const refreshed = [listSprayPlans]
const tones: Readonly<Record<SprayRunState, 'fine' | 'warning' | 'danger'>> = {
  sending: 'warning',
  sent: 'fine',
  held: 'warning',
  failed: 'danger',
  missed: 'danger',
}
const short = (at: number) => time(at).slice(5, 16)
const weekSigns = Object.values(weekDays).map((name) => name.slice(1))
const everyDay = weekSigns.length
const daysWords = (days: readonly number[]): string =>
  days.length === everyDay ? '每天' : `周${weekSigns.filter((_, i) => days.includes(i + 1)).join('')}`

interface Spray {
  id: string
  name: string
}

/** Scheduled spraying by line, with the result of each run. */
export function SprayPlans({ projectCode, sprays, onClose }: { projectCode: string; sprays: readonly Spray[]; onClose: () => void }) {
  const [view, setView] = useState<'plans' | 'runs'>('plans')
  const [edited, setEdited] = useState<SprayPlan | 'new'>()
  return (
    <>
      <PageDrawer
        open
        size={980}
        title="喷淋定时计划"
        onClose={onClose}
        extra={
          <Can call={createSprayPlan}>
            <Button
              type="primary"
              disabled={sprays.length === 0}
              title={sprays.length === 0 ? '计划按项目安排，请先选择有喷淋设备的项目' : undefined}
              onClick={() => setEdited('new')}
            >
              新增计划
            </Button>
          </Can>
        }
      >
        <div className="zg-row zg-below-12">
          <Segmented
            aria-label="计划或执行记录"
            value={view}
            options={[
              { value: 'plans', label: '计划' },
              { value: 'runs', label: '执行记录' },
            ]}
            onChange={(value) => setView(value === 'runs' ? 'runs' : 'plans')}
          />
          <span className="zg-2">到时由平台下发启动指令；气温低于 2 ℃、降雨、风速 12 m/s 以上、管路无水或刚人工停止时不启动</span>
        </div>
        {view === 'plans' ? <Plans projectCode={projectCode} onEdit={setEdited} /> : <Runs projectCode={projectCode} />}
      </PageDrawer>
      {edited && (
        <PlanForm
          projectCode={projectCode}
          sprays={sprays}
          plan={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

function Plans({ projectCode, onEdit }: { projectCode: string; onEdit: (plan: SprayPlan) => void }) {
  const plans = useCall(listSprayPlans, { query: { projectCode, size: mostPlans } }, { quiet: true, everyMs: 60_000 })
  const remove = useAct(removeSprayPlan, { success: '计划已删除，不再启动', refreshes: refreshed })
  return (
    <EditedList
      read={plans}
      columns={[
        { title: '计划', value: (plan) => plan.name },
        { title: '喷淋区域', value: (plan) => plan.deviceName },
        { title: '时间', value: (plan) => `${daysWords(plan.days)} ${plan.times.join('、')}` },
        { title: '时长', value: (plan) => `${plan.minutes} 分` },
        { title: '下次', value: (plan) => (plan.nextAt === null ? <Tag>已停用</Tag> : short(plan.nextAt)) },
        { title: '上次', value: (plan) => <LastRun plan={plan} /> },
      ]}
      hint="按星期和时刻安排喷淋，如每天 7:00、13:00 各喷 15 分钟"
      change={updateSprayPlan}
      onEdit={onEdit}
      onRemove={(plan) =>
        void remove.afterRequesting(
          {
            thing: `删除计划 ${plan.name}`,
            consequence: `${plan.deviceName} 不再按这个计划启动；执行记录保留。`,
            verb: '删除计划',
            keep: '保留',
          },
          { params: { id: plan.id }, query: { projectCode } },
        )
      }
    />
  )
}

function LastRun({ plan }: { plan: SprayPlan }) {
  if (!plan.lastState || plan.lastAt === null) return '--'
  return (
    <span title={plan.lastMessage ?? ''}>
      {short(plan.lastAt)} <Tag tone={tones[plan.lastState]}>{sprayRunStates[plan.lastState]}</Tag>
    </span>
  )
}

function Runs({ projectCode }: { projectCode: string }) {
  const list = useListPage(sprayPlanRunList, { scope: { projectCode }, inUrl: false, defaultSort: '-dueAt', everyMs: 30_000 })
  const columns: ColumnOf<typeof sprayPlanRunList>[] = [
    { key: 'dueAt', width: 152, locked: true, sort: true, filter: 'date-range', value: (r) => time(r.dueAt) },
    ...(projectCode === '*' ? [{ key: 'projectName' as const, width: 160, value: (r: SprayPlanRun) => r.projectName }] : []),
    { key: 'planName', width: 120, filter: 'text', value: (r) => r.planName },
    { key: 'deviceName', width: 92, value: (r) => r.deviceName },
    { key: 'minutes', width: 92, align: 'right', value: (r) => r.minutes },
    {
      key: 'state',
      width: 92,
      filter: 'multi',
      options: Object.entries(sprayRunStates).map(([value, label]) => ({ value, label })),
      value: (r) => <Tag tone={tones[r.state]}>{sprayRunStates[r.state]}</Tag>,
    },
    { key: 'message', width: 220, wrap: true, value: (r) => r.message || null },
  ]
  return <DataTable list={list} columns={columns} unit="次" emptyHint="计划到时执行后，结果出现在这里" />
}

interface PlanFormProps {
  projectCode: string
  sprays: readonly Spray[]
  plan: SprayPlan | undefined
  onClose: () => void
}
const dayOptions = Object.entries(weekDays).map(([value, label]) => ({ value, label }))

function PlanForm({ projectCode, sprays, plan, onClose }: PlanFormProps) {
  const shared = { success: '计划已保存', refreshes: refreshed, onDone: onClose }
  const create = useAct(createSprayPlan, shared)
  const update = useAct(updateSprayPlan, shared)
  const fields = <PlanFields sprays={sprays} />
  if (!plan)
    return (
      <FormDrawer
        open
        narrow
        width={480}
        title="新增喷淋计划"
        act={create}
        initial={{
          deviceId: sprays[0]?.id,
          days: Object.keys(weekDays),
          times: ['07:00'],
          minutes: usualMinutes,
          enabled: true,
        }}
        input={(body: Values) => ({ query: { projectCode }, body })}
        onClose={onClose}
      >
        {fields}
      </FormDrawer>
    )
  const { deviceId, name, days, times, minutes, enabled, version } = plan
  return (
    <FormDrawer
      open
      narrow
      width={480}
      title={`修改 ${name}`}
      act={update}
      initial={{ deviceId, name, days: days.map(String), times, minutes, enabled }}
      input={(body: Values) => ({ params: { id: plan.id }, query: { projectCode }, body: { ...body, version } })}
      onClose={onClose}
    >
      {fields}
    </FormDrawer>
  )
}

function PlanFields({ sprays }: { sprays: readonly Spray[] }) {
  return (
    <>
      <Field name="name" label="名称" required>
        <Input placeholder="如 早班前道路" />
      </Field>
      <Field name="deviceId" label="喷淋区域" required>
        <Choice clear={false} options={sprays.map((one) => ({ value: one.id, label: one.name }))} />
      </Field>
      <Field name="days" label="星期" required>
        <Choices options={dayOptions} />
      </Field>
      <Field name="times" label="启动时刻" required help="同一区域的启动不能重叠">
        <Times />
      </Field>
      <Field name="minutes" label="每次时长" required>
        <NumberInput unit="分钟" min={1} max={120} precision={0} />
      </Field>
      <Field name="enabled" label="启用">
        <Enabled />
      </Field>
    </>
  )
}

const Enabled = ({ value, onChange, id }: Control<boolean>) => <Switch id={id} checked={value ?? true} onChange={(on) => onChange?.(on)} />

/** Times of day, added one by one. */
function Times({ value, onChange, id }: Control<string[]>) {
  const times = value ?? []
  return (
    <div className="zg-row zg-wrap" id={id}>
      {times.map((one) => (
        <Tag key={one}>
          {one}{' '}
          <button
            type="button"
            className="zg-bare"
            aria-label={`删除时刻 ${one}`}
            onClick={() => onChange?.(times.filter((t) => t !== one))}
          >
            ×
          </button>
        </Tag>
      ))}
      <span className="fam-days">
        <ClockInput
          key={times.length}
          aria-label="添加时刻"
          onChange={(one) => one && !times.includes(one) && onChange?.([...times, one].sort())}
        />
      </span>
    </div>
  )
}
