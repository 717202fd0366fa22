import { isMeasured, workOf } from '@zhugong/contract/steps/chain'
import { mostStepPhotos, type PointInput } from '@zhugong/contract/steps/moves'
import { Input } from 'antd'
import { Tag } from '#kit/feedback.tsx'
import { FieldPhotos } from '#kit/field/field-photos.tsx'
import { FieldGroup } from '#kit/form.tsx'
import { fieldsOf } from '#kit/form-of.ts'
import { NumberInput, Upload } from '#kit/inputs.tsx'
import { PassInput } from '#kit/pass-input.tsx'

const { Field, useValue } = fieldsOf<{ points: PointInput[] }>()

/** Empty points of a work, in their order. */
export const emptyPoints = (work: string): PointInput[] =>
  (workOf(work)?.points ?? []).map(({ key }) => ({ key, value: null, fine: null, note: null, photos: [] }))

/**
 * The points of a step with their limits: a value, or a verdict by eye; what fails asks for a note and a photograph. `online`: in a form that
 * is sent at once, photographs are uploaded at once as well.
 */
export function PointFields({ work, online = false }: { work: string; online?: boolean }) {
  return (
    <FieldGroup title="检查点">
      {workOf(work)?.points.map((point, i) => (
        <div key={point.key} className="step-point zg-span-all">
          <div className="zg-fields">
            {isMeasured(point) ? (
              <Field name={`points.${i}.value`} label={point.name} help={`允许 ${point.limit}`} required>
                <NumberInput {...(point.unit ? { unit: point.unit } : {})} />
              </Field>
            ) : (
              <Field name={`points.${i}.fine`} label={point.name} help={`要求 ${point.limit}`} required>
                <PassInput />
              </Field>
            )}
            <Verdict at={i} low={point.low} high={point.high} online={online} />
          </div>
        </div>
      ))}
    </FieldGroup>
  )
}

interface VerdictProps {
  at: number
  low: number | undefined
  high: number | undefined
  online: boolean
}
function Verdict({ at, low, high, online }: VerdictProps) {
  const value = useValue(`points.${at}.value`)
  const fine = useValue(`points.${at}.fine`)
  const known =
    low === undefined || high === undefined ? (fine ?? undefined) : typeof value === 'number' ? value >= low && value <= high : undefined
  if (known === undefined) return null
  if (known) return <Tag tone="fine">合格</Tag>
  return (
    <>
      <Field name={`points.${at}.note`} label="不合格说明">
        <Input placeholder="在哪里，差多少" />
      </Field>
      <Field name={`points.${at}.photos`} label="不合格照片" span="all">
        {online ? <Upload max={mostStepPhotos} /> : <FieldPhotos max={mostStepPhotos} />}
      </Field>
    </>
  )
}
