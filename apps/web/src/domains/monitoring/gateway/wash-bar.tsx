import { colors } from '#kit/colors.ts'

const [width, height] = [600, 56]

/** Duration of wheel washing against the required one. */
export function WashBar({ seconds, wanted, needed }: { seconds: number | null; wanted: number; needed: boolean }) {
  if (seconds === null) return <p className="zg-2">没有冲洗时长</p>
  const most = Math.max(wanted * 2, seconds)
  const x = (n: number) => (n / most) * width
  const short = seconds < wanted
  const words = `冲洗 ${seconds} 秒，要求 ${wanted} 秒${needed && short ? '，不足' : ''}`
  return (
    <svg className="gate-lane" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words}>
      <rect x={0} y={22} width={width} height={14} rx={3} fill={colors.sunken} />
      <rect x={0} y={22} width={Math.max(2, x(seconds))} height={14} rx={3} fill={short && needed ? colors.danger : colors.fine} />
      <line x1={x(wanted)} x2={x(wanted)} y1={16} y2={42} stroke={colors.text} strokeWidth={2} />
      <text x={0} y={14} fontSize={13} fill={colors.text}>
        {words}
      </text>
      <text x={x(wanted)} y={54} fontSize={12} textAnchor="middle" fill={colors.text2}>
        {wanted} 秒
      </text>
    </svg>
  )
}
