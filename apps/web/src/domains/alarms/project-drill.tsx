import { startDrill } from '@zhugong/contract/alarms/endpoints'
import { execReceivers } from '@zhugong/contract/notify/endpoints'
import { Checkbox, Segmented } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan, withCode } from '#kit/can.tsx'
import { Empty, Notice, RiskBadge, Tag } from '#kit/feedback.tsx'
import { FormSheet } from '#kit/form-sheet.tsx'
import { Choice } from '#kit/inputs.tsx'
import { useGo } from '#kit/page.tsx'
import { channelWord, FieldLabel, minutesWords } from '../rules/public.tsx'
import type { KeyRow } from './effective.ts'
import { type Exec, type PlanRow, reportedOf } from './project-words.tsx'

interface Device {
  id: string
  name: string
  family: string
}

/** Drill of an alarm's notices: shows the recipients before anything is sent. */
export function ProjectDrill({
  projectCode,
  devices,
  rows,
  first,
  execs,
  plan,
  ready,
  onClose,
}: {
  projectCode: string
  devices: readonly Device[]
  rows: readonly KeyRow[]
  first: KeyRow | undefined
  execs: readonly Exec[]
  plan: readonly PlanRow[]
  /** Whether notice plan and rule actions are loaded. */
  ready: boolean
  onClose: () => void
}) {
  const go = useGo()
  const mayLink = useCan(withCode(startDrill, 'rules.linkage'), { projectCode })
  const [deviceId, setDeviceId] = useState(() => (first ? devices.find((one) => one.family === first.family)?.id : undefined))
  const [alarmKey, setAlarmKey] = useState(first?.alarmKey)
  // Opening the form must not notify anybody.
  const [notice, setNotice] = useState(false)
  const [linkage, setLinkage] = useState(false)
  const [seconds, setSeconds] = useState(600)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const device = devices.find((one) => one.id === deviceId)
  const own = rows.filter((row) => row.family === device?.family && row.rule)
  const row = own.find((one) => one.alarmKey === alarmKey)
  const reported = row && reportedOf(row, execs, plan)
  const roles = [...new Set(reported?.notices.flatMap((part) => part.roles) ?? [])]
  const userIds = [...new Set(reported?.notices.flatMap((part) => part.userIds) ?? [])]
  const onDuty = reported?.notices.some((part) => part.onDuty) ?? false
  const receivers = useCall(
    execReceivers,
    {
      query: {
        projectCode,
        onDuty,
        roles: roles.length ? roles.join(',') : undefined,
        userIds: userIds.length ? userIds.join(',') : undefined,
      },
    },
    { enabled: reported?.isOwn === true, quiet: true },
  )
  const list = reported?.isOwn
    ? (receivers.data?.list ?? []).map((one) => ({
        name: one.kind === 'duty' ? '值班人员' : one.name,
        people: one.people.map((person) => `${person.name} ${person.phoneMask ?? '无手机'}`),
      }))
    : (reported?.usual?.receivers ?? []).map((one) => ({ name: one.role, people: [...one.people] }))
  const ladder = reported?.isOwn
    ? reported.notices.flatMap((part) => part.escalation).map((rung) => ({ ...rung, people: [] as string[] }))
    : (reported?.usual?.ladder ?? [])
  const channels = reported?.isOwn ? [...new Set(reported.notices.flatMap((part) => part.channels))] : (reported?.usual?.channels ?? [])
  const act = useAct(startDrill, {
    success: '演练已开始，带演练标记，不计入统计',
    onDone: () => {
      onClose()
      go('/alarm/record', { tab: 'drill' })
    },
  })
  const start = () => {
    if (deviceId && alarmKey && row) return act.run({ body: { deviceId, alarmKey, notify: notice, linkage, seconds } })
    setErrors({ ...(device ? {} : { deviceId: '请选择设备' }), ...(row ? {} : { alarmKey: '请选择告警' }) })
  }
  const known = ready && (reported?.isOwn !== true || receivers.data !== undefined)
  const people = new Set(list.flatMap((one) => one.people)).size
  const sendWords = !reported ? '选择设备与告警后列出会通知谁' : known ? `将真的发给 ${people} 人，内容注明演练` : '正在查询会通知谁'
  return (
    <FormSheet
      title="告警演练"
      remark={notice ? sendWords : '只生成演练记录，不发通知'}
      saveText="开始演练"
      saving={act.running}
      onSave={start}
      onClose={onClose}
      errors={errors}
      dirty={false}
    >
      <div className="alarm-override">
        <div className="alarm-two">
          <FieldLabel label="设备" required error={errors.deviceId}>
            <Choice
              clear={false}
              value={deviceId ?? null}
              options={devices.map((one) => ({ value: one.id, label: one.name }))}
              onChange={(next) => {
                setDeviceId(next)
                setErrors({})
                if (devices.find((one) => one.id === next)?.family !== device?.family) setAlarmKey(undefined)
              }}
            />
          </FieldLabel>
          <FieldLabel label="告警" required hint={device ? '只列已启用的' : '先选设备'} error={errors.alarmKey}>
            <Choice
              clear={false}
              disabled={!device}
              value={alarmKey ?? null}
              options={own.map((one) => ({ value: one.alarmKey, label: one.label }))}
              onChange={(next) => {
                setAlarmKey(next)
                setErrors({})
              }}
            />
          </FieldLabel>
          <FieldLabel label="时长" hint="到时自动结束">
            <Segmented
              value={seconds}
              options={[
                { value: 300, label: '5 分钟' },
                { value: 600, label: '10 分钟' },
                { value: 1800, label: '30 分钟' },
              ]}
              onChange={setSeconds}
            />
          </FieldLabel>
          <FieldLabel label="动作">
            <span>
              <Checkbox checked={notice} onChange={(event) => setNotice(event.target.checked)}>
                真的发通知
              </Checkbox>
              <Checkbox checked={linkage} disabled={!mayLink || !reported?.linkage} onChange={(event) => setLinkage(event.target.checked)}>
                启动联动
              </Checkbox>
            </span>
          </FieldLabel>
        </div>
        {linkage && reported?.linkage && <Notice tone="danger">会真的执行“{reported.linkage}”，请确认现场人员已避让</Notice>}
        <section>
          <h3>会通知谁 {reported && <RiskBadge level={reported.level} />}</h3>
          {!row || !reported ? (
            <Empty small text="选择设备与告警" hint="这里列出会收到通知的人" />
          ) : !known ? (
            <Empty small text="正在查询会通知谁" />
          ) : list.length === 0 && ladder.length === 0 ? (
            <Empty small text="不会通知任何人" hint="这种告警没有通知动作，等级默认方案也不通知" />
          ) : (
            <ul className="alarm-told">
              {list.map((one) => (
                <li key={one.name} className={one.people.length ? '' : 'bad'}>
                  <b>{one.name}</b>
                  <span>{one.people.join('、') || '现在没有人，通知不会送达'}</span>
                  {one.people.length === 0 && <Tag tone="danger">无人</Tag>}
                </li>
              ))}
              {ladder.map((rung) => (
                <li key={`${rung.afterMinutes}${rung.roles.join()}`} className="later">
                  <b>{minutesWords(rung.afterMinutes)}后</b>
                  <span>
                    {rung.roles.join('、')}
                    {rung.people.length > 0 && `（${rung.people.join('、')}）`}，有人接单即停
                  </span>
                </li>
              ))}
              <li>
                <b>渠道</b>
                <span>{channels.map(channelWord).join('、') || '无'}</span>
              </li>
              <li>
                <b>联动</b>
                <span>{reported.linkage ? `${reported.linkage}${linkage ? '' : '（未勾选，不执行）'}` : '无'}</span>
              </li>
            </ul>
          )}
        </section>
      </div>
    </FormSheet>
  )
}
