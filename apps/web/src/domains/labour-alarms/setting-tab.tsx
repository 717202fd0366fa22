import { getSetting, saveSetting } from '@zhugong/contract/attendance/setting'
import { attendanceSetting } from '@zhugong/contract/attendance/setting-model'
import type { LabourAlarmType } from '@zhugong/contract/labour-alarms/codes'
import { Switch } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { refresh, useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, DetailSkeleton, ErrorPanel, Notice, Pairs } from '#kit/feedback.tsx'
import { ClockInput, NumberKnob } from '#kit/inputs.tsx'
import { hrefOf, usePage } from '#kit/page.tsx'
import { SettingsPage } from '#kit/settings-shell.tsx'
import { tellItems } from '#kit/tell-fields.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import type { Counts } from './record-tab.tsx'
import { type AlarmValues, alarmDifferences, alarmFields, groups, nameOf } from './words.ts'

/** Switch and threshold of each kind of alarm, with its count in the last month. */
export function Settings({ projectCode, counts, switcher }: { projectCode: string; counts: Counts | undefined; switcher: ReactNode }) {
  const page = usePage()
  const may = useCan(saveSetting)
  const { data, error, refetch } = useCall(getSetting, { query: { projectCode, part: 'alarm' } }, { quiet: true })
  const [drafted, setDrafted] = useState<AlarmValues>()
  const act = useAct(saveSetting, {
    success: '已保存，10 分钟内按新的设置判断',
    onDone: () => {
      setDrafted(undefined)
      refresh()
    },
  })
  const current = data && pick(attendanceSetting.parse(data))
  const values = drafted ?? current
  const differences = current && values ? alarmDifferences(current, values) : []
  useUnsaved(differences.length > 0, page.cacheKey, page.entry.title)
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!current || !values) return <DetailSkeleton />
  const change = (part: Partial<AlarmValues>) => setDrafted({ ...values, ...part })
  const flip = (type: LabourAlarmType, on: boolean) =>
    change({ alarmsOff: on ? values.alarmsOff.filter((t) => t !== type) : [...values.alarmsOff, type] })
  const newest = data.versions.toSorted((a, b) => b.createTime.localeCompare(a.createTime))[0]
  const raised = new Map((counts?.byType ?? []).map((t) => [t.type, t]))
  const knobs: Partial<Record<LabourAlarmType, ReactNode>> = {
    '103': <AgeKnobs values={values} onChange={change} />,
    '203': <span className="zg-2">与登记时同一年龄上限</span>,
    '205': (
      <Knob label="连续应到未考勤">
        <NumberKnob
          label="未考勤预警天数"
          unit="天"
          range={[1, 365]}
          value={values.absentAlarmDays}
          fallback={current.absentAlarmDays}
          onChange={(n) => change({ absentAlarmDays: n })}
        />
      </Knob>
    ),
    '206': (
      <Knob label="到岗率低于">
        <NumberKnob
          label="关键岗位到岗率"
          unit="%"
          range={[0, 100]}
          digits={2}
          value={values.keyPostRate}
          fallback={current.keyPostRate}
          onChange={(n) => change({ keyPostRate: n })}
        />
      </Knob>
    ),
  }
  return (
    <SettingsPage
      remark="怎样算出勤在工人考勤时间，这里只定何时提醒"
      last={{ by: newest?.createBy, at: newest?.createTime }}
      lock={may ? undefined : '没有修改考勤设置的权限，此处只供查看'}
      differences={differences}
      fault={Object.values(act.fieldErrors).join('；') || undefined}
      saving={act.running}
      onSave={() => act.run({ body: { projectCode, ...values, reason: '调整预警设置' } })}
      onUndo={() => setDrafted(undefined)}
      actions={switcher}
    >
      <Notice tone="info" actions={<Link to="/alarm/project">项目告警</Link>}>
        闸机前的一次通行（陌生人、已退场人员进场、超时未出、设备离线）是告警，在项目告警里设置；这里是对人的提醒
      </Notice>
      <Card title="告诉谁" remark="新增的预警每 10 分钟合成一条，停工期间不提醒">
        <Pairs
          items={[
            ...tellItems(values, change),
            {
              label: '免打扰',
              value: (
                <span className="la-knob">
                  <ClockInput
                    aria-label="免打扰开始"
                    value={values.quietFrom}
                    onChange={(at) => change({ quietFrom: at ?? current.quietFrom })}
                  />
                  至
                  <ClockInput
                    aria-label="免打扰结束"
                    value={values.quietTo}
                    onChange={(at) => change({ quietTo: at ?? current.quietTo })}
                  />
                </span>
              ),
            },
          ]}
        />
      </Card>
      <div className="la-groups">
        {groups.map((group) => (
          <Card key={group.title} title={group.title} remark={group.remark} flush>
            {group.types.map((type) => {
              const t = raised.get(type)
              const on = !values.alarmsOff.includes(type)
              return (
                <div key={type} className={`la-kind ${on ? '' : 'off'}`}>
                  <Switch size="small" aria-label={nameOf(type)} checked={on} onChange={(next) => flip(type, next)} />
                  <b>{nameOf(type)}</b>
                  <span className="knob">{knobs[type]}</span>
                  <span className="zg-2">
                    近 30 天 {t?.raisedIn30Days ?? 0} 次
                    {t && t.open > 0 && (
                      <>
                        ，<Link to={hrefOf('/alarmSet', { tab: 'records', type, state: '1' })}>待处理 {t.open}</Link>
                      </>
                    )}
                  </span>
                </div>
              )
            })}
          </Card>
        ))}
      </div>
    </SettingsPage>
  )
}

const pick = (setting: AlarmValues): AlarmValues => Object.fromEntries(alarmFields.map((key) => [key, setting[key]])) as AlarmValues

const Knob = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <span className="zg-2">{label}</span>
    <span className="la-knob">{children}</span>
  </>
)

function AgeKnobs({ values, onChange }: { values: AlarmValues; onChange: (part: Partial<AlarmValues>) => void }) {
  return (
    <>
      <Knob label="男性超过">
        <NumberKnob
          label="男性年龄上限"
          unit="岁"
          range={[18, 100]}
          value={values.ageMaleMax}
          fallback={values.ageMaleMax}
          onChange={(n) => onChange({ ageMaleMax: n })}
        />
      </Knob>
      <Knob label="女性超过">
        <NumberKnob
          label="女性年龄上限"
          unit="岁"
          range={[18, 100]}
          value={values.ageFemaleMax}
          fallback={values.ageFemaleMax}
          onChange={(n) => onChange({ ageFemaleMax: n })}
        />
      </Knob>
    </>
  )
}
