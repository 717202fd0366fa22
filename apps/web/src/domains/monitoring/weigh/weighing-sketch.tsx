import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import type { getTicket } from '@zhugong/contract/monitoring/weigh/weighing'
import { colors } from '#kit/colors.ts'
import { time } from '#kit/format.ts'

type Ticket = Pick<
  OutputFor<typeof getTicket>,
  'grossWeight' | 'tareWeight' | 'deductWeight' | 'actualWeight' | 'billWeight' | 'grossTime' | 'tareTime' | 'deviationState'
>
const [width, height] = [900, 150]
const bar = { left: 90, right: 820, height: 30 }

/** Both weighings as bars on one scale: empty truck, load, and the delivery note's weight. */
export function WeighingSketch({ ticket }: { ticket: Ticket }) {
  const { grossWeight, tareWeight, deductWeight, actualWeight, billWeight } = ticket
  const most = Math.max(grossWeight ?? 0, (tareWeight ?? 0) + (billWeight ?? 0), 1)
  const x = (n: number) => bar.left + (n / most) * (bar.right - bar.left)
  const tare = tareWeight ?? 0
  const words = [
    grossWeight === null ? '毛重未称' : `毛重 ${grossWeight.toFixed(3)} 吨`,
    tareWeight === null ? '皮重未称' : `皮重 ${tareWeight.toFixed(3)} 吨`,
    actualWeight === null ? '' : `实重 ${actualWeight.toFixed(3)} 吨`,
    billWeight === null ? '' : `面单 ${billWeight.toFixed(3)} 吨`,
  ]
  const load = ticket.deviationState === 'short' ? colors.danger : colors.primary
  return (
    <svg className="weigh-slip" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words.filter(Boolean).join('，')}>
      <g fontSize={13} fill={colors.text2}>
        <text x={bar.left - 10} y={32} textAnchor="end">
          毛重
        </text>
        <text x={bar.left - 10} y={82} textAnchor="end">
          皮重
        </text>
        {billWeight !== null && (
          <text x={bar.left - 10} y={130} textAnchor="end">
            面单
          </text>
        )}
      </g>
      <rect x={bar.left} y={12} width={x(tare) - bar.left} height={bar.height} fill={colors.border} />
      <rect x={x(tare)} y={12} width={Math.max(0, x(grossWeight ?? 0) - x(tare))} height={bar.height} fill={load} opacity={0.85} />
      {deductWeight > 0 && grossWeight !== null && (
        <rect
          x={x(grossWeight - deductWeight)}
          y={12}
          width={Math.max(2, x(grossWeight) - x(grossWeight - deductWeight))}
          height={bar.height}
          fill={colors.amber}
        />
      )}
      <rect x={bar.left} y={62} width={Math.max(0, x(tare) - bar.left)} height={bar.height} fill={colors.border} />
      {billWeight !== null && (
        <rect
          x={x(tare)}
          y={112}
          width={x(tare + billWeight) - x(tare)}
          height={bar.height - 8}
          fill="none"
          stroke={colors.text2}
          strokeDasharray="5 4"
        />
      )}
      <g fontSize={13} fill={colors.text}>
        <text x={Math.min(x(grossWeight ?? 0) + 8, bar.right + 4)} y={32}>
          {grossWeight === null ? '未称' : `${grossWeight.toFixed(3)}`}
        </text>
        <text x={x(tare) + 8} y={82}>
          {tareWeight === null || tareWeight === 0 ? '未称' : `${tareWeight.toFixed(3)} t　${time(ticket.tareTime)}`}
        </text>
        {billWeight !== null && (
          <text x={Math.min(x(tare + billWeight) + 8, bar.right + 4)} y={130}>
            {billWeight.toFixed(3)}
          </text>
        )}
      </g>
      <g fontSize={12} fill={colors.white} textAnchor="middle">
        {actualWeight !== null && (
          <text x={(x(tare) + x(grossWeight ?? 0)) / 2} y={32}>
            {`实重 ${actualWeight.toFixed(3)} t　${time(ticket.grossTime)}`}
          </text>
        )}
      </g>
    </svg>
  )
}
