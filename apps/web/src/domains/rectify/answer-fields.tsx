import type { RectifyLine } from '@zhugong/contract/rectify/calls'
import { mostPhotos } from '@zhugong/contract/rectify/moves'
import type { RepairInput } from '@zhugong/contract/rectify/repair'
import { Input } from 'antd'
import type { ComponentType } from 'react'
import { DayInput, Upload } from '#kit/inputs.tsx'

export interface Filled {
  measure: string
  photos: string[]
  doneDate: string | null
  person: string | null
  /** Parts and people, of a machine's defect. */
  repair: RepairInput | null
}

/** What was saved for a problem and not sent. */
export function filledOf(line: RectifyLine): Filled {
  const draft = line.answers.find((one) => one.draft)
  return {
    measure: draft?.measure ?? '',
    photos: draft?.photos ?? [],
    doneDate: draft?.doneDate ?? null,
    person: draft?.person ?? line.person,
    repair: null,
  }
}

interface AnswerFieldsProps {
  line: RectifyLine
  value: Filled
  onChange: (part: Partial<Filled>) => void
  /** Messages of the server by field: `lines.0.measure`. */
  problems: Readonly<Record<string, string>>
  /** Where photographs are kept until the answer is sent: on the device, or on the server at once (the default). */
  photos?: ComponentType<{ id: string; max: number; value: string[]; onChange: (value: string[]) => void }>
}

/** The answer to one problem: what was done, with pictures and the day. */
export function AnswerFields({ line, value, onChange, problems, photos: Photos = Upload }: AnswerFieldsProps) {
  const problemAt = (field: string) => problems[`lines.${line.seq - 1}.${field}`]
  const measure = problemAt('measure')
  const photos = problemAt('photos')
  return (
    <div className="rectify-fill">
      <label className="zg-label" htmlFor={`measure-${line.id}`}>
        整改措施
        <span className="must" aria-hidden="true">
          *
        </span>
      </label>
      <Input.TextArea
        id={`measure-${line.id}`}
        rows={2}
        maxLength={500}
        placeholder="做了什么，由谁完成"
        value={value.measure}
        status={measure ? 'error' : undefined}
        onChange={(event) => onChange({ measure: event.target.value })}
      />
      {measure && <small className="tone-danger">{measure}</small>}
      <label className="zg-label" htmlFor={`photos-${line.id}`}>
        整改后照片
      </label>
      <Photos id={`photos-${line.id}`} max={mostPhotos} value={value.photos} onChange={(next) => onChange({ photos: next })} />
      {photos && <small className="tone-danger">{photos}</small>}
      <label className="zg-label" htmlFor={`done-${line.id}`}>
        完成日期
      </label>
      <DayInput id={`done-${line.id}`} value={value.doneDate} onChange={(doneDate) => onChange({ doneDate: doneDate ?? null })} />
    </div>
  )
}
