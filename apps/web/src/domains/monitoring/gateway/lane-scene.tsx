import { colors } from '#kit/colors.ts'

const [width, height] = [280, 150]

/** Lane from above: the last passage and the barrier's position. */
export function LaneScene({
  gate,
  isUp,
  isAway,
  plateNo,
  words,
}: {
  gate: string
  isUp: boolean
  isAway: boolean
  plateNo: string | undefined
  words: string
}) {
  const said = `${gate}，${isAway ? '设备离线' : isUp ? '道闸升起' : '道闸落下'}${plateNo ? `，最近 ${plateNo}，${words}` : ''}`
  const ink = isAway ? colors.text3 : isUp ? colors.fine : colors.amber
  return (
    <svg className="gate-lane" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={said}>
      <rect x={0} y={42} width={width} height={66} fill={colors.sunken} />
      <line x1={0} x2={width} y1={75} y2={75} stroke={colors.white} strokeWidth={2} strokeDasharray="14 10" />
      <rect x={196} y={104} width={14} height={22} fill={colors.slate} />
      <line
        x1={203}
        y1={108}
        x2={isUp ? 214 : 203}
        y2={isUp ? 60 : 40}
        stroke={ink}
        strokeWidth={isUp ? 5 : 6}
        strokeDasharray="10 5"
        transform={isUp ? 'rotate(62 203 108)' : undefined}
      />
      {plateNo && (
        <g>
          <rect x={36} y={52} width={110} height={46} rx={4} fill={colors.primaryWash} stroke={colors.primary} />
          <rect x={120} y={56} width={22} height={38} rx={3} fill={colors.primarySoft} />
          <text x={80} y={80} textAnchor="middle" fontSize={14} fontWeight={600} fill={colors.text}>
            {plateNo}
          </text>
        </g>
      )}
      <text x={8} y={26} fontSize={14} fontWeight={600} fill={colors.text}>
        {gate}
      </text>
      <text x={width - 8} y={26} textAnchor="end" fontSize={12} fill={isAway ? colors.danger : colors.text2}>
        {isAway ? '设备离线' : isUp ? '道闸升起' : '道闸落下'}
      </text>
      <text x={8} y={142} fontSize={12} fill={colors.text2}>
        {plateNo ? words : '今天还没有车辆通过'}
      </text>
    </svg>
  )
}
