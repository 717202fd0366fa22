import {
  BellFilled,
  CheckCircleFilled,
  CheckOutlined,
  EyeInvisibleOutlined,
  MessageFilled,
  RiseOutlined,
  SoundFilled,
  ThunderboltFilled,
  UserOutlined,
} from '@ant-design/icons'
import { type AlarmAction, alarmMoves } from '@zhugong/contract/alarms/codes'
import { listExecLog } from '@zhugong/contract/notify/endpoints'
import type { ReactNode } from 'react'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { colors } from '#kit/colors.ts'
import { shortTime, time } from '#kit/format.ts'
import { useNow } from '#kit/live.ts'
import { Timeline } from '#kit/work-item.tsx'
import type { AlarmFile } from './alarm-file.ts'
import { escalationWords, foldRepeats, type Moment, noticeMoments } from './timeline.ts'

const logIcons: Readonly<Record<string, [icon: ReactNode, color: string]>> = {
  open: [<BellFilled key="i" />, colors.orange],
  upgrade: [<RiseOutlined key="i" />, colors.danger],
  downgrade: [<RiseOutlined key="i" rotate={90} />, colors.orange],
  clear: [<CheckOutlined key="i" />, colors.fine],
  ack: [<UserOutlined key="i" />, colors.primary],
  handle: [<CheckCircleFilled key="i" />, colors.primary],
  close: [<CheckCircleFilled key="i" />, colors.text2],
  false: [<EyeInvisibleOutlined key="i" />, colors.text2],
  ignore: [<EyeInvisibleOutlined key="i" />, colors.text2],
  notice: [<MessageFilled key="i" />, colors.primary],
  urge: [<SoundFilled key="i" />, colors.danger],
  urgeAnswer: [<MessageFilled key="i" />, colors.primary],
  urgeReturn: [<MessageFilled key="i" />, colors.warning],
  urgeWithdraw: [<SoundFilled key="i" />, colors.text2],
  urgeAccept: [<CheckCircleFilled key="i" />, colors.fine],
  escalate: [<RiseOutlined key="i" />, colors.warning],
  linkage: [<ThunderboltFilled key="i" />, colors.purple],
}

const reportedOf: [icon: ReactNode, color: string] = [<MessageFilled key="i" />, colors.primary]

/** Timeline of an alarm: its events and the notices sent. */
export function AlarmCourse({ file }: { file: AlarmFile }) {
  const maySee = useCan(listExecLog)
  const notices = useCall(
    listExecLog,
    { query: { projectCode: file.projectCode, alarmId: file.id, size: 200 } },
    { enabled: maySee, quiet: true, everyMs: 15_000, keepPrevious: true },
  )
  const moments = [...file.log.map(momentOf), ...noticeMoments(notices.data?.list ?? [])].sort((a, b) => a.time - b.time)
  const steps = foldRepeats(moments).map(({ event, ...moment }) => {
    const [icon, color] = logIcons[event] ?? reportedOf
    return { ...moment, icon, color }
  })
  return <Timeline steps={steps} next={<NextRung escalation={file.escalation} />} />
}

function momentOf(one: AlarmFile['log'][number]): Moment {
  const text = reported(one)
  return {
    id: one.id,
    time: one.time,
    event: one.event,
    title: headline(one.event, one.byName),
    lines: text ? [{ text, bad: /失败|无应答|未被执行/.test(text) }] : [],
  }
}

/** The next escalation, due if nobody acknowledges the alarm. */
function NextRung({ escalation }: { escalation: AlarmFile['escalation'] }) {
  const now = useNow(1000)
  const next = escalationWords(escalation, now)
  if (!next || !escalation) return null
  return (
    <li className="next">
      <time title={time(escalation.at)}>{shortTime(escalation.at)}</time>
      <i>
        <RiseOutlined />
      </i>
      <div>
        <b>将升级到 {next.who}</b>
        <span className={next.soon ? 'tone-danger' : ''}>{next.when}，有人接单即停</span>
      </div>
    </li>
  )
}

/** Text of an entry without the verb that the headline already shows. */
function reported({ event, text }: { event: string; text: string }): string {
  const verb = event in alarmMoves ? alarmMoves[event as AlarmAction].label : ''
  return verb && text.startsWith(verb) ? text.slice(verb.length).replace(/^：/, '') : text
}

function headline(event: string, byName: string | null): string {
  const move = event in alarmMoves ? alarmMoves[event as AlarmAction].label : undefined
  if (move) return byName ? `${byName} ${move}` : move
  const words: Record<string, string> = {
    open: '触发告警',
    upgrade: '升级',
    downgrade: '降级',
    clear: '条件解除',
    notice: '通知',
    linkage: '设备联动',
  }
  return words[event] ?? (byName || '记录')
}
