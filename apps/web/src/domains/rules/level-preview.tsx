import type { LevelRow } from '@zhugong/contract/rules/level-model'
import { colors } from '#kit/colors.ts'
import { Card } from '#kit/feedback.tsx'
import { Swatch } from '#kit/filled.tsx'
import { contrastOf } from './level-looks.ts'

/** Preview of the levels: tag, map, wall, and without colours. */
export function LevelPreview({ levels }: { levels: readonly LevelRow[] }) {
  return (
    <Card title="预览" remark="表格标签、地图圆点、大屏条目，以及红绿色弱所见">
      <div className="rule-preview">
        {levels.map((one) => (
          <div key={one.level}>
            <span>
              <b
                className="badge"
                style={{ background: one.color, color: contrastOf(one.color, colors.white) >= 3 ? colors.white : colors.text }}
              >
                {one.level}
              </b>{' '}
              {one.label}
            </span>
            <svg width="120" height="26" role="img" aria-label={`${one.name}在地图上的圆点`}>
              <rect width="120" height="26" fill={colors.raised} />
              <circle cx="20" cy="13" r="8" fill={one.color} stroke={colors.white} strokeWidth="2" />
              <text x="36" y="17" fontSize="12" fill={colors.text}>
                {one.level} 号点
              </text>
            </svg>
            <div className="rule-ticker" style={{ borderLeftColor: one.color }}>
              {one.name} 1# 塔机 力矩报警
            </div>
            <span className="grey">
              <Swatch color={one.color} /> 只凭明暗，数字与文字仍可分辨
            </span>
          </div>
        ))}
      </div>
    </Card>
  )
}
