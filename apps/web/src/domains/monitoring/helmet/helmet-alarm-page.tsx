import { helmetAlarms } from '@zhugong/contract/monitoring/helmet/helmet-statistics'
import { alarmsOfTheBox, helmetPositions } from '@zhugong/contract/monitoring/helmet/helmets'
import { onGround, whereabouts } from '@zhugong/contract/monitoring/site'
import { warnTextMax } from '@zhugong/contract/telemetry/commands'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { AlarmColumn, AlarmFile } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Panel } from '#kit/feedback.tsx'
import { span, time, timeOfDay } from '#kit/format.ts'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf } from '#kit/page.tsx'
import { numberIn } from '../crane-state.ts'
import { FamilyAlarmPage } from '../family-alarm.tsx'
import { useSite } from '../family-live.ts'
import '../monitoring.css'
import { aroundAlarm, replayText } from '../replay.ts'
import './helmet.css'
import { type Called, HelmetCall, useMayCall } from './helmet-call.tsx'
import { HelmetPlan } from './helmet-plan.tsx'
import { nearest } from './helmet-state.ts'

const mandates = { smartHelmet: '智能安全帽', baseStationHelmet: '基站安全帽' } as const
type HelmetKind = keyof typeof mandates
const isHat = (text: string): text is HelmetKind => Object.hasOwn(mandates, text)
/** Alarms about the device, not its wearer: hidden by default. */
const ofTheBox = { keys: alarmsOfTheBox, label: '含离线与电量' }

const columns: AlarmColumn[] = [
  { key: 'thresholdText', width: 156, value: (row) => row.thresholdText, hidden: true },
  { key: 'handleTime', width: 140, value: (row) => time(row.handleTime), hidden: true },
]

/** Who needed help, how fast did we answer, and which alarms are false? */
export default function HelmetAlarmPage() {
  const projectCode = useProjectCode()
  const [mandate, setMandate] = useState<HelmetKind>('smartHelmet')
  const { data } = useCall(helmetAlarms, { query: { projectCode, size: 1 } }, { quiet: true, everyMs: 60_000 })
  return (
    <FamilyAlarmPage
      key={mandate}
      family={mandate}
      aside={ofTheBox}
      columns={columns}
      toolbar={
        <Segmented
          aria-label="帽型"
          value={mandate}
          options={Object.entries(mandates).map(([value, label]) => ({ value, label }))}
          onChange={(value) => isHat(value) && setMandate(value)}
        />
      }
      drawing={(file) => <AtAlarm file={file} />}
      strip={(counts) => [
        { label: 'SOS 未响应', value: data?.sosOpen, unit: '条', remark: '一分钟内接单', tone: data?.sosOpen ? 'danger' : undefined },
        { label: '今日跌落撞击', value: data?.fallsToday, unit: '次', tone: data?.fallsToday ? 'warning' : undefined },
        { label: '今日脱帽', value: data?.removalsToday, unit: '次' },
        {
          label: '平均响应',
          value: data?.averageResponseSeconds == null ? '--' : span(data.averageResponseSeconds * 1000),
          remark: `近 30 日；未恢复 ${counts?.active ?? '--'} 条`,
        },
      ]}
    />
  )
}

/** Number of nearest people to send, and how long that makes sense. */
const helpers = 3
const helpMs = 2 * 3_600_000
const isFresh = (file: AlarmFile) => Date.now() - file.startTime < helpMs

/** Position of the wearer at the alarm; hidden from callers who may not see positions. */
function AtAlarm({ file }: { file: AlarmFile }) {
  const ground = useSite(file.projectCode)
  const mayLocate = useCan('helmet.location')
  const isNow = file.active && isFresh(file)
  const positions = useCall(
    helmetPositions,
    { query: { projectCode: file.projectCode, category: '700' } },
    { quiet: true, enabled: isNow && mayLocate },
  )
  const mayCall = useMayCall()
  const [calling, setCalling] = useState<{ people: readonly Called[]; text?: string }>()
  const reading = file.evidence.reduce<AlarmFile['evidence'][number] | undefined>(
    (best, one) => (!best || Math.abs(one.time - file.startTime) < Math.abs(best.time - file.startTime) ? one : best),
    undefined,
  )
  const lng = numberIn(reading?.values, 'longitude')
  const lat = numberIn(reading?.values, 'latitude')
  const { site } = ground
  if (!reading || !site || lng === undefined || lat === undefined) return null
  const at = onGround(site.origin, [lng, lat])
  const where = whereabouts(site, at).words
  const near = nearest(
    [
      { id: file.deviceId, name: file.deviceName, at },
      ...(positions.data?.list ?? []).flatMap((one) =>
        one.deviceId !== file.deviceId && one.online && one.positioned && one.lng !== null && one.lat !== null
          ? [{ id: one.deviceId, name: one.workerName ?? one.deviceName, at: onGround(site.origin, [one.lng, one.lat]) }]
          : [],
      ),
    ],
    file.deviceId,
    helpers,
  )
  return (
    <div className="mon helmet-then">
      <Panel
        title={`当时的位置：${where}`}
        actions={
          <span className="mon-legend">
            {timeOfDay(reading.time)}
            <Link
              to={hrefOf('/helmet/track', {
                deviceId: file.deviceId,
                span: replayText(aroundAlarm(file.startTime, file.clearTime, Date.now())),
              })}
            >
              轨迹
            </Link>
          </span>
        }
      >
        <HelmetPlan
          site={site}
          people={[
            {
              id: file.deviceId,
              label: `${file.deviceName} ${file.alarmLabel}`,
              at,
              tone: 'alarm',
              past: false,
              named: true,
              state: where,
            },
          ]}
          label={`${file.deviceName} ${file.alarmLabel} 时在 ${where}`}
        />
        {isNow && (
          <div className="fam-acts">
            {mayCall && (
              <Button danger onClick={() => setCalling({ people: [{ deviceId: file.deviceId, name: file.deviceName }] })}>
                呼叫本人
              </Button>
            )}
            {near.map(({ person, metres }) => (
              <span key={person.id}>
                {person.name} {metres.toFixed(0)} m
              </span>
            ))}
            {mayCall && near.length > 0 && (
              <Button
                onClick={() =>
                  setCalling({
                    people: near.map(({ person }) => ({ deviceId: person.id, name: person.name })),
                    text: `${where}有人求助，请立即前往`.slice(0, warnTextMax),
                  })
                }
              >
                派最近的 {near.length} 人前往
              </Button>
            )}
          </div>
        )}
      </Panel>
      {calling && <HelmetCall people={calling.people} text={calling.text} onClose={() => setCalling(undefined)} />}
    </div>
  )
}
