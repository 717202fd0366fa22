import { colors } from '#kit/colors.ts'
import { useValue } from './setting-fields.ts'

const minutes = (clock: unknown, otherwise: string) => {
  const [h = 0, m = 0] = String(typeof clock === 'string' && clock ? clock : otherwise)
    .split(':')
    .map(Number)
  return h * 60 + m
}

/** Diagram of the rules on one day, which begins at the day cut. */
export function DrawnDay() {
  const start = minutes(useValue('workStart'), '07:00')
  const end = minutes(useValue('workEnd'), '18:00')
  const cut = minutes(useValue('dayCut'), '04:00')
  const late = Number(useValue('lateMinutes') ?? 0)
  const early = Number(useValue('earlyMinutes') ?? 0)
  const width = 480
  const x = (m: number) => (((m - cut + 2880) % 1440) / 1440) * width
  const endAt = end > start ? end : end + 1440
  const text = (m: number) => `${String(Math.floor(m / 60) % 24).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`
  return (
    <svg width={width} height={64} role="img" aria-label={`日切 ${text(cut)}，上班 ${text(start)}，下班 ${text(end)}`}>
      <rect x={0} y={24} width={width} height={10} rx={2} fill={colors.sunken} />
      <rect x={x(start)} y={24} width={Math.max(0, x(endAt % 1440) - x(start))} height={10} fill={colors.primarySoft} />
      <rect x={x(start)} y={24} width={(late / 1440) * width} height={10} fill={colors.warningLine} />
      <rect x={x(endAt % 1440) - (early / 1440) * width} y={24} width={(early / 1440) * width} height={10} fill={colors.warningLine} />
      <text x={0} y={52} fontSize={12} fill={colors.text2}>
        日切 {text(cut)}
      </text>
      <text x={x(start)} y={16} fontSize={12} fill={colors.text} textAnchor="middle">
        {text(start)}
      </text>
      <text x={Math.min(width - 16, x(endAt % 1440))} y={16} fontSize={12} fill={colors.text} textAnchor="middle">
        {text(end)}
      </text>
    </svg>
  )
}
