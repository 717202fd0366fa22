import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { themeName } from '@zhugong/contract/themes/catalogue'
import { Button, Input } from 'antd'
import { Card } from '#kit/feedback.tsx'
import './themes.css'

interface Point {
  name: string
  requirement: string
}
interface PointsProps {
  theme: string
  points: readonly Point[]
  faults: Readonly<Record<string, string>>
  onChange: (points: Point[]) => void
}

/** The points of a campaign, begun with those of its theme. */
export function PointFields({ theme, points, faults, onChange }: PointsProps) {
  const put = (at: number, more: Partial<Point>) => onChange(points.map((one, i) => (i === at ? { ...one, ...more } : one)))
  return (
    <Card
      title="检查要点"
      remark={`${points.length} 条，取自“${themeName(theme)}”模板，可修改`}
      actions={
        <Button icon={<PlusOutlined />} onClick={() => onChange([...points, { name: '', requirement: '' }])}>
          加一条
        </Button>
      }
    >
      <ol className="theme-points">
        {points.map((one, at) => (
          <li key={at} className="theme-point">
            <span>
              <Input
                aria-label={`第 ${at + 1} 条要点`}
                maxLength={60}
                value={one.name}
                onChange={(event) => put(at, { name: event.target.value })}
              />
              {faults[`points.${at}.name`] && <small className="tone-danger">{faults[`points.${at}.name`]}</small>}
            </span>
            <span>
              <Input
                aria-label={`第 ${at + 1} 条的要求`}
                maxLength={200}
                value={one.requirement}
                onChange={(event) => put(at, { requirement: event.target.value })}
              />
              {faults[`points.${at}.requirement`] && <small className="tone-danger">{faults[`points.${at}.requirement`]}</small>}
            </span>
            <Button
              icon={<DeleteOutlined />}
              aria-label={`删除第 ${at + 1} 条要点`}
              disabled={points.length === 1}
              onClick={() => onChange(points.filter((_one, i) => i !== at))}
            />
          </li>
        ))}
      </ol>
    </Card>
  )
}
