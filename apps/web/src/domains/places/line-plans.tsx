import type { Pin, PlanPicture } from '@zhugong/contract/places/pins'
import { Card } from '#kit/feedback.tsx'
import { PlanBoard } from './plan-board.tsx'

interface Line {
  id: string
  seq: number
  description: string
  placeName: string | null
  pin: Pin | null
  closed: boolean
}

/** The plans on which problems lie, each problem by its number; closed ones in another colour. Nothing without points. */
export function LinePlans({ plans, lines }: { plans: readonly PlanPicture[]; lines: readonly Line[] }) {
  if (plans.length === 0) return null
  return (
    <Card title="平面图" remark="数字为问题序号">
      <div className="place-plans">
        {plans.map((plan) => (
          <figure key={plan.id}>
            <PlanBoard
              plan={plan}
              marks={lines.flatMap(({ id, seq, description, pin, closed }) =>
                pin?.planId === plan.id
                  ? [
                      {
                        key: id,
                        label: String(seq),
                        x: pin.x,
                        y: pin.y,
                        closed,
                        title: `${seq}. ${description}${closed ? '（已闭合）' : ''}`,
                      },
                    ]
                  : [],
              )}
            />
            <figcaption className="zg-2">{plan.name}</figcaption>
          </figure>
        ))}
      </div>
    </Card>
  )
}
