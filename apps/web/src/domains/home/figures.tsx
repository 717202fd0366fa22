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
          remarkTone: f.tone === 'plain' || f.tone === 'fine' ? undefined : f.tone,
          tone: f.tone === 'danger' ? 'danger' : undefined,
          trend: f.trend.length > 1 ? f.trend : undefined,
          href: f.link || undefined,
        }))}
      />
    </div>
  )
}
