import type { HomeFigure } from '@zhugong/contract/home/endpoints'
import { FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'

export function HomeFigures({ figures }: { figures: readonly HomeFigure[] }) {
  return (
    <div className="home-figures">
      <FigureStrip
        items={figures.map((f) => ({
          label: f.title,
          value: f.value === null ? '--' : f.digits ? f.value.toFixed(f.digits) : thousands(f.value),
          unit: f.unit,
          remark: f.note,
          ...(f.tone === 'plain' || f.tone === 'fine' ? {} : { remarkTone: f.tone }),
          ...(f.tone === 'danger' ? { tone: 'danger' as const } : {}),
          ...(f.trend.length > 1 ? { trend: f.trend } : {}),
          ...(f.link ? { href: f.link } : {}),
        }))}
      />
    </div>
  )
}
