import type { createConstructionLog } from '@zhugong/contract/daylogs/construction'
import { mostLogPhotos, mostProblems } from '@zhugong/contract/daylogs/fields'
import type { createOwnLog } from '@zhugong/contract/daylogs/own-log'
import type { Fact, LogDetail, Prefill } from '@zhugong/contract/daylogs/shapes'
import { Button, Input } from 'antd'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { useDicts } from '#kit/dicts.ts'
import { ErrorPanel, Notice } from '#kit/feedback.tsx'
import { FieldPhotos } from '#kit/field/field-photos.tsx'
import { type BodyOf, FieldGroup, useFormInstance, type Values } from '#kit/form.tsx'
import { fieldsOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, LongText, NumberInput } from '#kit/inputs.tsx'
import { hrefOf } from '#kit/page.tsx'
import { everyFact, FactsInput } from './fact-input.tsx'

/** What the forms of all kinds have in common. */
type LogBody = Required<BodyOf<typeof createConstructionLog>> & Pick<BodyOf<typeof createOwnLog>, 'safetyState' | 'projects'>
const { Field, FieldList, useValue } = fieldsOf<LogBody>()

interface Filling {
  data: Prefill | undefined
  error: unknown
  retry: () => unknown
  /** Facts that the log kept before, in their first words. */
  kept?: readonly Fact[] | undefined
  onFilled: (values: Values) => void
}

const numbers = ['tempHigh', 'tempLow', 'wind', 'workerCount'] as const

/**
 * Puts what the day recorded into the form: into fields that are empty or still have what was put there before. What was typed stays. A form
 * that already names its facts keeps them.
 */
export function usePrefill({ data, onFilled, unitId = '' }: Pick<Filling, 'data' | 'onFilled'> & { unitId?: string | undefined }): void {
  const form = useFormInstance()
  const before = useRef<{ data: Prefill; unitId: string } | undefined>(undefined)
  useEffect(() => {
    if (!data || (before.current?.data.day === data.day && before.current.unitId === unitId)) return
    const now = form.getFieldsValue(true) as Values
    const old = before.current?.data
    before.current = { data, unitId }
    const of = (one: Prefill | undefined, name: (typeof numbers)[number]) =>
      (name === 'workerCount' ? one?.workerCount : one?.weather?.[name]) ?? null
    const next: Values = {}
    for (const name of numbers) {
      // The gates count the whole site, not one unit of it.
      if (name === 'workerCount' && unitId !== '') continue
      const value = now[name] ?? null
      if (value === null || (old && value === of(old, name))) next[name] = of(data, name)
    }
    if (now.facts === undefined || old) next.facts = everyFact(data.facts)
    if (now.tasks === undefined || old) next.tasks = data.tasks.map(({ taskId, percent }) => ({ taskId, percent, reason: '' }))
    form.setFieldsValue(next)
    onFilled(form.getFieldsValue(true) as Values)
  }, [data, form, onFilled, unitId])
}

/** Day, weather and head count. */
export function DayFields({
  data,
  locked = false,
  heads = true,
}: {
  data: Prefill | undefined
  /** Submitted: the day stays. */
  locked?: boolean
  heads?: boolean
}) {
  const dicts = useDicts('weather')
  const written = useValue('workerCount')
  const ofUnit = useValue('unitId') !== undefined
  const station = data?.weather?.station
  const attended = data?.workerCount ?? null
  return (
    <FieldGroup title="日期与天气" remark={station ? `温度与风力来自 ${station}` : undefined}>
      <Field name="day" label="日期" required>
        <DayInput max={day(Date.now())} disabled={locked} />
      </Field>
      <Field name="weather" label="天气" required>
        <Choice clear={false} options={dicts.options('weather')} />
      </Field>
      <Field name="tempLow" label="最低温">
        <NumberInput unit="℃" />
      </Field>
      <Field name="tempHigh" label="最高温">
        <NumberInput unit="℃" />
      </Field>
      <Field name="wind" label="最大风力">
        <NumberInput unit="级" />
      </Field>
      {heads && (
        <Field
          name="workerCount"
          label="现场人数"
          help={
            attended === null
              ? '当天没有考勤数据'
              : `${ofUnit ? '全场考勤' : '考勤'} ${attended} 人${written === attended ? '（系统带入）' : ''}`
          }
        >
          <NumberInput unit="人" />
        </Field>
      )}
      {data?.late && (
        <Field name="lateReason" label="补记原因" span="all" required help="超过 48 小时，提交后标记为补记">
          <Input />
        </Field>
      )}
    </FieldGroup>
  )
}

/** What exists already for the day, and what went wrong. */
export function DayNotices({
  data,
  error,
  retry,
  own,
  page,
  verb,
}: Pick<Filling, 'data' | 'error' | 'retry'> & { own: string; page: string; verb: string }) {
  if (error) return <ErrorPanel error={error} retry={retry} title="系统带入失败，可直接填写" />
  const existing = data?.existing
  if (!existing || existing.id === own) return null
  return (
    <Notice tone="warning">
      {data.day} 已有日志（{existing.recorder}），不能重复填写。<Link to={hrefOf(page, { id: existing.id })}>{verb}</Link>
    </Notice>
  )
}

export function FactFields({ data, kept = [] }: Pick<Filling, 'data' | 'kept'>) {
  const fresh = (data?.facts ?? []).filter((one) => !kept.some((old) => old.kind === one.kind && old.refId === one.refId))
  return (
    <FieldGroup title="当日记录" remark="由考勤、设备、检查等记录带入，可逐条移除">
      <Field name="facts" span="all">
        <FactsInput facts={[...kept, ...fresh]} />
      </Field>
    </FieldGroup>
  )
}

/** Problems, each with the order that it became. */
export function ProblemFields({ data, kept = [] }: Pick<Filling, 'data' | 'kept'>) {
  const orders = [...kept, ...(data?.facts ?? [])].filter((one) => one.kind === 'rectify')
  const options = [...new Map(orders.map((one) => [one.refId, { value: one.refId, label: one.text }])).values()]
  return (
    <FieldGroup title="问题及处理">
      <FieldList name="problems" add="添加问题" max={mostProblems}>
        {({ index, name, remove }) => (
          <div className="log-row">
            <Field name={name('description')} label={`问题 ${index + 1}`}>
              <Input placeholder="哪里，什么问题，怎样处理" />
            </Field>
            <Field name={name('rectifyId')} label="关联整改单">
              <Choice options={options} />
            </Field>
            <Button aria-label={`删除问题 ${index + 1}`} onClick={remove}>
              删除
            </Button>
          </div>
        )}
      </FieldList>
    </FieldGroup>
  )
}

export function WordFields({ parts, state, quality = false }: { parts: string; state?: string; quality?: boolean }) {
  return (
    <FieldGroup title="情况">
      <Field name="parts" label={parts} span="all" required>
        <LongText rows={3} />
      </Field>
      {state && (
        <Field name="safetyState" label={state} span="all" required>
          <LongText rows={3} />
        </Field>
      )}
      {quality && (
        <Field name="qualityState" label="质量情况" span="all" required>
          <LongText rows={3} />
        </Field>
      )}
      <Field name="tomorrow" label="明日要点" span="all">
        <LongText rows={2} />
      </Field>
    </FieldGroup>
  )
}

export const MachineWords = () => (
  <Field name="machines" label="其他机械" span="all" help="系统没有记录的机械，例如挖掘机、泵车">
    <Input />
  </Field>
)

export function PhotoFields() {
  return (
    <FieldGroup title="照片">
      <Field name="photos" span="all">
        <FieldPhotos max={mostLogPhotos} />
      </Field>
    </FieldGroup>
  )
}

/** 复制昨日: the words of the log before; nothing that was typed is overwritten. */
export function CopyPrevious({ data, onFilled }: Pick<Filling, 'data' | 'onFilled'>) {
  const form = useFormInstance()
  const previous = data?.previous
  if (!previous) return null
  const copy = () => {
    const now = form.getFieldsValue(true) as Values
    const next: Values = {}
    for (const name of ['parts', 'safetyState', 'qualityState', 'tomorrow'] as const)
      if (!now[name] && previous[name]) next[name] = previous[name]
    form.setFieldsValue(next)
    onFilled(form.getFieldsValue(true) as Values)
  }
  return <Button onClick={copy}>复制 {previous.day} 的文字</Button>
}

/** The values of a form that goes on with a stored log. */
export function valuesOf(file: LogDetail): Values {
  const {
    id,
    day: date,
    weather,
    tempHigh,
    tempLow,
    wind,
    workerCount,
    parts,
    machines,
    safetyState,
    qualityState,
    tomorrow,
    photos,
    lateReason,
  } = file
  return {
    ...{
      id,
      day: date,
      weather,
      tempHigh,
      tempLow,
      wind,
      workerCount,
      parts,
      machines,
      safetyState,
      qualityState,
      tomorrow,
      photos,
      lateReason,
    },
    unitId: file.unitId,
    impact: file.impact,
    idleCount: file.idleCount,
    projects: file.visited.map((one) => one.projectCode),
    facts: everyFact(file.facts),
    problems: file.problems.map(({ description, rectify }) => ({ description, rectifyId: rectify?.id ?? null })),
    tasks: file.tasks.map(({ taskId, percent, reason }) => ({ taskId, percent, reason: reason ?? '' })),
    pours: file.pours.map(({ part, grade, volume, from, until }) => ({ part, grade, volume, from, until })),
    blocks: file.blocks.flatMap(({ part, gang, content, own }) => (own ? [{ part, gang, content }] : [])),
  }
}
