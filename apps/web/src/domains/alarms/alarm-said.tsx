import { stateFinding } from '@zhugong/contract/monitoring/alarm-findings'
import { stateCause } from '@zhugong/contract/monitoring/exceed-causes'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { Card, Tag } from '#kit/feedback.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { LongText, Upload } from '#kit/inputs.tsx'
import type { AlarmFile } from './alarm-file.ts'

const { Field } = formOf(stateFinding, stateCause)

interface Said {
  id: string
  kind: string
  text: ReactNode
  by: string
  at: number
  files: readonly string[]
}

interface SaidCardProps {
  title: string
  remark: string
  verb: string
  /** Text of the empty list. */
  none: string
  may: boolean
  most: number
  /** Undefined while loading. */
  list: readonly Said[] | undefined
  form: (close: () => void) => ReactNode
}

/** Append-only statements of users about an alarm; they do not change its state. */
export function SaidCard({ title, remark, verb, none, may, most, list, form }: SaidCardProps) {
  const [open, setOpen] = useState(false)
  return (
    <Card
      title={title}
      remark={remark}
      actions={may && (list?.length ?? 0) < most && <Button onClick={() => setOpen(true)}>{verb}</Button>}
    >
      {!list?.length ? (
        <p className="zg-2">{list ? none : '读取中'}</p>
      ) : (
        <ul className="alarm-causes">
          {list.map((one) => (
            <li key={one.id}>
              <Tag>{one.kind}</Tag> {one.text}
              <p className="zg-2">
                {one.by} {time(one.at)}
                {one.files.map((href, n) => (
                  <a key={href} href={href} target="_blank" rel="noreferrer">
                    　照片 {n + 1}
                  </a>
                ))}
              </p>
            </li>
          ))}
        </ul>
      )}
      {open && form(() => setOpen(false))}
    </Card>
  )
}

/** Names the alarm above the form. */
export const aboutAlarm = (file: AlarmFile) => `${file.deviceName}　${file.alarmLabel}　${time(file.startTime).slice(0, 16)}`

export const SaidText = ({ label, again }: { label: string; again: string }) => (
  <Field name="text" label={label} required help={`提交后不能修改；情况变化时再${again}一次，各次都保留`}>
    <LongText rows={4} maxLength={300} />
  </Field>
)
export const SaidPhotos = () => (
  <Field name="files" label="照片">
    <Upload max={6} maxMb={20} accept="image/*" />
  </Field>
)
