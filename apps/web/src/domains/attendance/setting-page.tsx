import { getSetting, saveSetting } from '@zhugong/contract/attendance/setting'
import { attendanceSetting } from '@zhugong/contract/attendance/setting-model'
import { Button, Input, Switch } from 'antd'
import { refresh, useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, ErrorPanel } from '#kit/feedback.tsx'
import { FieldGroup, useFormInstance } from '#kit/form.tsx'
import { day, time } from '#kit/format.ts'
import { ClockInput, DayInput, NumberInput } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { SettingsForm } from '#kit/settings-shell.tsx'
import { RestCalendar } from './rest-calendar.tsx'
import { restWords } from './rest-days.ts'
import { DrawnDay } from './setting-drawn-day.tsx'
import { Field, FieldList, useValue } from './setting-fields.ts'
import { Trial } from './setting-trial.tsx'
import { type FormValues, initialOf, type Setting, settingOf, whenAndWhy } from './setting-values.ts'
import { settingDifferences } from './setting-words.ts'
import './attendance.css'

/** Copies the parent body's work calendar into the form; it is not applied before the form is saved, nor updated automatically later. */
function TakeCalendar({ of: { value, fromName } }: { of: NonNullable<Setting['bodyCalendar']> }) {
  const form = useFormInstance()
  return (
    <div className="zg-span-all zg-below-12">
      <Button size="small" onClick={() => form.setFieldsValue({ rest: value })}>
        取用{fromName ?? '默认'}的工作日历
      </Button>{' '}
      <span className="zg-2">{restWords(value)}</span>
    </div>
  )
}

/** Rules by which a day is calculated and from which date; with their effect on yesterday. */
export default function SettingPage() {
  const projectCode = useProjectCode()
  const known = projectCode !== '*'
  const maySave = useCan(saveSetting)
  const { data, error, refetch } = useCall(getSetting, { query: { projectCode } }, { enabled: known, quiet: true })
  const act = useAct(saveSetting, {
    success: ({ changed, effectiveFrom, days }) =>
      changed ? `自 ${effectiveFrom} 起生效，重算 ${days} 人天` : `设置没有变化，沿用自 ${effectiveFrom} 起的版本`,
    onDone: () => refresh(),
  })
  if (!known) {
    return <ProjectPicker why="考勤时间按项目设置" />
  }
  if (error) return <ErrorPanel error={error} retry={refetch} />
  const initial = data && initialOf(data)
  const newest = data?.versions.toSorted((a, b) => b.createTime.localeCompare(a.createTime))[0]
  return (
    <SettingsForm
      key={data?.version}
      act={act}
      loading={!data}
      initial={initial}
      input={(values: FormValues) => ({ body: { ...settingOf(values), projectCode, ...whenAndWhy(values) } })}
      remark={data ? `现行设置自 ${data.effectiveFrom} 起` : undefined}
      aside={data && <Versions setting={data} />}
      last={{ by: newest?.createBy, at: newest?.createTime }}
      lock={maySave ? undefined : '没有修改考勤设置的权限，此处只供查看'}
      differences={(values: FormValues) => (data ? settingDifferences(attendanceSetting.parse(data), settingOf(values)) : [])}
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
        {maySave && data?.bodyCalendar && <TakeCalendar of={data.bodyCalendar} />}
        <FieldList name="breaks" add="添加休息时段" max={6}>
          {({ name, remove }) => (
            <div className="zg-row zg-top">
              <Field name={name('from')} label="休息开始">
                <ClockInput />
              </Field>
              <Field name={name('to')} label="休息结束">
                <ClockInput />
              </Field>
              <Button className="att-beside-fields" onClick={remove}>
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
          <DayInput min={data ? data.earliest : undefined} />
        </Field>
        <ReasonField />
      </FieldGroup>
      <Trial projectCode={projectCode} />
    </SettingsForm>
  )
}

/** A reason is required only if days already calculated change. */
function ReasonField() {
  const from = useValue('effectiveFrom')
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
        <div key={v.version} className="att-version">
          <b>{v.effectiveFrom}</b> 起{v.version === setting.version && '（现行）'}
          <div className="zg-2 zg-small">{[v.createBy, time(v.createTime), v.reason].filter(Boolean).join('，')}</div>
        </div>
      ))}
    </Card>
  )
}
