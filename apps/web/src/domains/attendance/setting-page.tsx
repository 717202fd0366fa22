import { getSetting, saveSetting, trySetting } from '@zhugong/contract/attendance/endpoints'
import { attendanceSetting } from '@zhugong/contract/attendance/facts'
import type { InputFor, OutputFor } from '@zhugong/contract/kit/endpoint'
import { Button, Input, Switch } from 'antd'
import { useState } from 'react'
import type { z } from 'zod'
import { call, refresh, showFailure, useAct, useCall } from '#kit/call.ts'
import { Card, Empty, ErrorPanel } from '#kit/feedback.tsx'
import { Field, FieldGroup, FieldList, FormPage, useFieldValue, useFormInstance } from '#kit/form.tsx'
import { day, time } from '#kit/format.ts'
import { ClockInput, DayInput, NumberInput } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { RestCalendar } from './rest-calendar.tsx'
import type { RestDays } from './rest-days.ts'
import './attendance.css'

type Setting = OutputFor<typeof getSetting>
type SettingInput = InputFor<typeof saveSetting>['body']
/** The form's values: a setting, its rest days as one, and when and why it shall hold. */
interface FormValues extends Partial<z.input<typeof attendanceSetting>> {
  rest?: RestDays
  effectiveFrom?: string
  reason?: string
}

/** How a day is counted, from which day on; and what that would have done to yesterday. */
export default function SettingPage() {
  const projectCode = useProjectCode()
  const known = projectCode !== '*'
  const { data, error, refetch } = useCall(getSetting, { query: { projectCode } }, { enabled: known, quiet: true })
  const act = useAct(saveSetting, {
    success: ({ changed, effectiveFrom, days }) =>
      changed ? `自 ${effectiveFrom} 起生效，重算 ${days} 人天` : `设置没有变化，沿用自 ${effectiveFrom} 起的版本`,
    onDone: () => refresh(),
  })
  if (!known) {
    return (
      <PageShell>
        <Empty text="请先选择项目" hint="考勤时间按项目设置，在页头选择项目后打开" />
      </PageShell>
    )
  }
  if (error) return <ErrorPanel error={error} retry={refetch} />
  const initial = data && initialOf(data)
  return (
    <FormPage
      key={data?.version}
      act={act}
      schema={saveSetting.schemas.body}
      loading={!data}
      initial={initial}
      input={(values: FormValues) => ({ body: { ...settingOf(values), projectCode, ...whenAndWhy(values) } })}
      remark={data ? `现行设置自 ${data.effectiveFrom} 起` : undefined}
      aside={data && <Versions setting={data} />}
      barRemark="只重算生效日期及以后的日子"
    >
      <FieldGroup title="作息">
        <div className="zg-span-all">
          <DrawnDay />
        </div>
        <Field name="workStart" label="上班时间" required>
          <ClockInput />
        </Field>
        <Field name="workEnd" label="下班时间" required>
          <ClockInput />
        </Field>
        <Field name="crossMidnight" label="跨零点" valueName="checked" help="下班时间早于上班时间时须勾选">
          <Switch />
        </Field>
        <Field name="rest" label="休息日" span="all" help="每周固定休息，另点日历调休或调班；休息日不考核迟到、早退和缺勤，不计出勤率">
          <RestCalendar />
        </Field>
        <FieldList name="breaks" add="添加休息时段" max={6}>
          {({ name, remove }) => (
            <div style={{ display: 'flex', gap: 8, alignItems: 'flex-start' }}>
              <Field name={name('from')} label="休息开始">
                <ClockInput />
              </Field>
              <Field name={name('to')} label="休息结束">
                <ClockInput />
              </Field>
              <Button style={{ marginTop: 24 }} onClick={remove}>
                删除
              </Button>
            </div>
          )}
        </FieldList>
      </FieldGroup>
      <FieldGroup title="计算">
        <Field name="dayCut" label="日切时间" help="此刻之前的通行归前一日" required>
          <ClockInput />
        </Field>
        <Field name="lateMinutes" label="迟到宽限">
          <NumberInput unit="分钟" min={0} max={120} precision={0} />
        </Field>
        <Field name="earlyMinutes" label="早退宽限">
          <NumberInput unit="分钟" min={0} max={120} precision={0} />
        </Field>
        <Field name="minHours" label="计出勤最少工时" help="0 为有任一有效记录即计">
          <NumberInput unit="小时" min={0} max={12} precision={1} />
        </Field>
        <Field name="standardHours" label="标准工时" help="超过计加班，0 为不计">
          <NumberInput unit="小时" min={0} max={12} precision={1} />
        </Field>
        <Field name="repeatSeconds" label="重复通行" help="同向在此时间内计一次">
          <NumberInput unit="秒" min={0} max={1800} precision={0} />
        </Field>
        <Field name="maxSpanHours" label="最长配对" help="入场后超过此时间未出场记缺卡">
          <NumberInput unit="小时" min={1} max={24} precision={1} />
        </Field>
        <Field name="supplementDays" label="允许补录" help="超过须经企业同意">
          <NumberInput unit="天" min={0} max={7} precision={0} />
        </Field>
        <Field name="keyPostRate" label="关键岗位到岗率">
          <NumberInput unit="%" min={0} max={100} precision={2} />
        </Field>
      </FieldGroup>
      <FieldGroup title="方式">
        <Field name="faceThreshold" label="比对阈值" help="低于此分标为可疑，仍计考勤">
          <NumberInput unit="分" min={60} max={100} precision={0} />
        </Field>
        <Field name="allowMobile" label="允许移动端打卡" valueName="checked">
          <Switch />
        </Field>
      </FieldGroup>
      <FieldGroup title="生效">
        <Field name="effectiveFrom" label="生效日期" help={data ? `不早于 ${data.earliest}；不填为今日` : undefined}>
          <DayInput {...(data ? { min: data.earliest } : {})} />
        </Field>
        <ReasonField />
      </FieldGroup>
      <Trial projectCode={projectCode} />
    </FormPage>
  )
}

/** Breaks travel as pairs and are edited as two fields; rest days are one control. */
function initialOf(data: Setting) {
  const setting = attendanceSetting.parse(data)
  const { restDates, restWeekdays, workDates } = setting
  return { ...setting, breaks: setting.breaks.map(([from, to]) => ({ from, to })), rest: { restDates, restWeekdays, workDates } }
}

const settingKeys = Object.keys(attendanceSetting.shape)

/** What the fields say of the setting; what is not shown stays as it is in force. */
function settingOf({ rest, ...values }: FormValues): SettingInput {
  return Object.fromEntries(
    Object.entries({ ...values, ...rest }).filter(([key, value]) => settingKeys.includes(key) && value !== undefined && value !== null),
  )
}

const whenAndWhy = ({ effectiveFrom, reason }: FormValues) => ({
  ...(effectiveFrom ? { effectiveFrom } : {}),
  ...(reason ? { reason } : {}),
})

/** Days that were counted already are changed for a reason only. */
function ReasonField() {
  const from = useFieldValue<string>('effectiveFrom')
  const recounts = !from || from <= day(Date.now())
  return (
    <Field name="reason" label="调整原因" span={2} required={recounts} help={recounts ? '已有的考勤要重算，须写明原因' : undefined}>
      <Input maxLength={200} />
    </Field>
  )
}

function Versions({ setting }: { setting: Setting }) {
  return (
    <Card title="历史版本">
      {setting.versions.map((v) => (
        <div key={v.version} style={{ padding: '4px 0', borderBottom: '1px solid var(--line)' }}>
          <b>{v.effectiveFrom}</b> 起{v.version === setting.version && '（现行）'}
          <div className="zg-2" style={{ fontSize: 12 }}>
            {[v.createBy, time(v.createTime), v.reason].filter(Boolean).join('，')}
          </div>
        </div>
      ))}
    </Card>
  )
}

const minutes = (clock: unknown, otherwise: string) => {
  const [h = 0, m = 0] = String(typeof clock === 'string' && clock ? clock : otherwise)
    .split(':')
    .map(Number)
  return h * 60 + m
}

/** The rules drawn on a day that begins at the cut. */
function DrawnDay() {
  const start = minutes(useFieldValue('workStart'), '07:00')
  const end = minutes(useFieldValue('workEnd'), '18:00')
  const cut = minutes(useFieldValue('dayCut'), '04:00')
  const late = Number(useFieldValue('lateMinutes') ?? 0)
  const early = Number(useFieldValue('earlyMinutes') ?? 0)
  const width = 480
  const x = (m: number) => (((m - cut + 2880) % 1440) / 1440) * width
  const endAt = end > start ? end : end + 1440
  const text = (m: number) => `${String(Math.floor(m / 60) % 24).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`
  return (
    <svg width={width} height={64} role="img" aria-label={`日切 ${text(cut)}，上班 ${text(start)}，下班 ${text(end)}`}>
      <rect x={0} y={24} width={width} height={10} rx={2} fill="#EEF1F5" />
      <rect x={x(start)} y={24} width={Math.max(0, x(endAt % 1440) - x(start))} height={10} fill="#6F9AE8" />
      <rect x={x(start)} y={24} width={(late / 1440) * width} height={10} fill="#F0C36D" />
      <rect x={x(endAt % 1440) - (early / 1440) * width} y={24} width={(early / 1440) * width} height={10} fill="#F0C36D" />
      <text x={0} y={52} fontSize={12} fill="#5B6576">
        日切 {text(cut)}
      </text>
      <text x={x(start)} y={16} fontSize={12} fill="#1F2937" textAnchor="middle">
        {text(start)}
      </text>
      <text x={Math.min(width - 16, x(endAt % 1440))} y={16} fontSize={12} fill="#1F2937" textAnchor="middle">
        {text(end)}
      </text>
    </svg>
  )
}

/** The fields as they stand, tried on the last whole day. */
function Trial({ projectCode }: { projectCode: string }) {
  const form = useFormInstance()
  const [result, setResult] = useState<OutputFor<typeof trySetting>>()
  const [running, setRunning] = useState(false)
  const run = async () => {
    setRunning(true)
    try {
      const values: FormValues = form.getFieldsValue(true)
      setResult(await call(trySetting, { body: { ...settingOf(values), projectCode } }))
    } catch (failure) {
      showFailure(failure)
    } finally {
      setRunning(false)
    }
  }
  const rows =
    result &&
    ([
      ['出勤', 'attended'],
      ['迟到', 'late'],
      ['早退', 'early'],
      ['缺卡', 'missing'],
      ['缺勤', 'absent'],
      ['工时', 'workHours'],
    ] as const)
  return (
    <Card
      className="att-trial"
      title="试算"
      remark={result ? result.date : '按此设置算昨日'}
      actions={
        <Button size="small" loading={running} onClick={() => void run()}>
          试算
        </Button>
      }
    >
      {result && rows ? (
        <>
          <table>
            <thead>
              <tr>
                <th>{result.people} 人</th>
                <th>现为</th>
                <th>按此设置</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(([label, key]) => (
                <tr key={key}>
                  <td>{label}</td>
                  <td>{result.present[key]}</td>
                  <td className={result.present[key] === result.trial[key] ? '' : 'tone-warning'}>{result.trial[key]}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <div className="zg-2" style={{ marginTop: 8 }}>
            {result.changed ? `${result.changed} 人的结果会不同` : '没有人的结果会不同'}
          </div>
        </>
      ) : (
        <div className="zg-2">填好后点试算，看昨日的迟到、早退会变成多少；不保存任何内容。</div>
      )}
    </Card>
  )
}
