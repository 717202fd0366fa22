import { CheckCircleFilled, UserOutlined } from '@ant-design/icons'
import { shortTime } from '#kit/format.ts'
import type { Readings } from '../family-monitor.tsx'

/** Result code of a driver recognition that succeeded. */
const recognisedYes = '1'

/** A record of the machine, as the live page shows the latest one. */
export type LastRecord = { record: string; time: number; data: Record<string, unknown> } | undefined

interface DriverHeadProps {
  driver: unknown
  record: LastRecord
  /** Shown without a driver: when a recognition is expected. */
  expected: string
  /** Cycles of the current day. */
  today: { label: string; value: number | undefined }
}

/** The driver at work, whether he was recognised, and the number of cycles of the day. */
export function DriverHead({ driver, record, expected, today }: DriverHeadProps) {
  const name = typeof driver === 'string' && driver !== '' ? driver : undefined
  const recognised = record?.record === 'driverRecognition' ? record : undefined
  const succeeded = recognised?.data.result === recognisedYes
  return (
    <div className="mon-driver">
      <span className="face">
        <UserOutlined />
      </span>
      <div>
        <b>{name ?? '未识别司机'}</b>
        <small>
          {recognised ? (
            <span className={succeeded ? 'mon-fine' : 'mon-doubt'}>
              <CheckCircleFilled /> {shortTime(recognised.time)} {succeeded ? '识别' : '识别失败'}
            </span>
          ) : name ? (
            '设备上报的在岗司机'
          ) : (
            expected
          )}
        </small>
      </div>
      <div className="right">
        <small>{today.label}</small>
        <strong>{today.value ?? '--'}</strong>
      </div>
    </div>
  )
}

export interface Switch {
  label: string
  /** Metric of the switch: true or false. */
  key: string
  /** Words for true and false; by default 动作 and 正常. */
  words?: readonly [on: string, off: string]
  /** The value when all is well; by default false. */
  good?: boolean
}

/** Limit switches, doors and locks. */
export function Switches({ switches, seen: { reading, stale } }: { switches: readonly Switch[]; seen: Readings }) {
  return (
    <div className="mon-limits">
      {switches.map(({ label, key, words: [on, off] = ['动作', '正常'], good = false }) => {
        const value = reading?.values[key]
        return (
          <span key={key}>
            {label}
            <b data-tone={stale || value === undefined ? 'stale' : value === good ? 'fine' : 'warning'}>
              {value === undefined ? '--' : value === true ? on : off}
            </b>
          </span>
        )
      })}
    </div>
  )
}
