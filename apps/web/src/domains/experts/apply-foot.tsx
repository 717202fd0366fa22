import { Button } from 'antd'
import { Notice } from '#kit/feedback.tsx'

interface StepFootProps {
  /** Messages by field; an empty name is about the whole step. */
  faults: Readonly<Record<string, string>>
  busy: boolean
  onBack: () => void
}

/** The end of a step of the application: what concerns no single field, and the way back and on. */
export function StepFoot({ faults, busy, onBack }: StepFootProps) {
  return (
    <>
      {['', 'ticket'].map(
        (field) =>
          faults[field] && (
            <Notice key={field} tone="danger">
              {faults[field]}
            </Notice>
          ),
      )}
      <div className="bar">
        <Button size="large" onClick={onBack}>
          上一步
        </Button>
        <Button type="primary" htmlType="submit" size="large" loading={busy}>
          保存，下一步
        </Button>
      </div>
    </>
  )
}
