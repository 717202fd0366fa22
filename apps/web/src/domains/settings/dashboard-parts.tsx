import { LockOutlined } from '@ant-design/icons'
import {
  type CardPlace,
  type FigureLimits,
  getDashboard,
  type HomeCard,
  homeCards,
  type LimitedFigure,
  limitedFigures,
} from '@zhugong/contract/settings/dashboard'
import { InputNumber } from 'antd'
import { useCall } from '#kit/call.ts'
import { Card } from '#kit/feedback.tsx'
import { useProjectCode } from '#kit/me.ts'
import { usePageParam } from '#kit/page.tsx'
import './settings.css'

const figures = Object.keys(limitedFigures) as LimitedFigure[]

export function useDashboard() {
  const chosen = useProjectCode()
  const projectCode = usePageParam('projectCode') || chosen
  const read = useCall(getDashboard, { query: { projectCode } }, { quiet: true, staleMs: 0, enabled: projectCode !== '*' })
  return { projectCode, ...read }
}

export const limitWords = (limits: FigureLimits): string =>
  figures
    .flatMap((key) =>
      limits[key] === undefined
        ? []
        : [`${limitedFigures[key].name}${limitedFigures[key].bad === 'low' ? '低于' : '高于'} ${limits[key]}${limitedFigures[key].unit}`],
    )
    .join('、') || '无'

/** Limits that colour a figure red; limits set by a group above cannot be changed. */
export function Limits({
  limits,
  current,
  onChange,
}: {
  limits: FigureLimits
  current?: FigureLimits | undefined
  onChange: (limits: FigureLimits) => void
}) {
  return (
    <Card title="阈值" remark="超过即标红，只影响颜色；告警由规则产生" flush>
      {figures.map((key) => {
        const { name, unit, bad } = limitedFigures[key]
        const fixed = current?.[key]
        return (
          <div key={key} className="set-line">
            <span className="what">{name}</span>
            <span>
              {bad === 'low' ? '低于' : '高于'}{' '}
              <InputNumber
                aria-label={`${name}阈值`}
                min={0}
                max={bad === 'low' ? 100 : 100_000}
                disabled={fixed !== undefined}
                value={fixed ?? limits[key] ?? null}
                onChange={(value) => {
                  const { [key]: _before, ...rest } = limits
                  onChange(value === null ? rest : { ...rest, [key]: value })
                }}
              />{' '}
              {unit}
            </span>
            <span className="zg-2">
              {fixed !== undefined && (
                <>
                  <LockOutlined /> 上级设定
                </>
              )}
            </span>
          </div>
        )
      })}
    </Card>
  )
}

/** Thumbnail of the page with its cards. */
export function LayoutPicture({ cards, forced }: { cards: readonly CardPlace[]; forced: readonly HomeCard[] }) {
  return (
    <Card title="预览" remark="首页三列，窄屏自动换行">
      <div
        className="set-layout"
        role="img"
        aria-label={`首页依次显示${cards.flatMap((one) => (one.hidden ? [] : [homeCards[one.card].name])).join('、')}`}
      >
        {cards
          .filter((one) => !one.hidden)
          .map((one) => (
            <div key={one.card} className={`span-${one.size}`}>
              {homeCards[one.card].name}
              {forced.includes(one.card) && <LockOutlined />}
            </div>
          ))}
      </div>
    </Card>
  )
}
