import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import type { helmetAnalysis } from '@zhugong/contract/monitoring/helmet/helmet-statistics'

type AnalysisFacts = Pick<OutputFor<typeof helmetAnalysis>, 'coverage' | 'figures' | 'teams' | 'kinds'>
/** Share of false alarms from which a kind is called unreliable, and the number of alarms required for a significant share. */
const wolfShare = 0.5
const leastAlarms = 4

/** Summary sentence of the period: which team to train, which alarm to adjust. */
export function sentenceOf(analysisFacts: AnalysisFacts): string {
  if (analysisFacts.coverage === 0 && analysisFacts.figures.alarms === 0) return '本期没有数据'
  const worst = analysisFacts.teams.find((one) => one.wearingPercent !== null && one.wearingPercent < 100)
  const wolf = analysisFacts.kinds.find((one) => one.count >= leastAlarms && one.falseCount / one.count >= wolfShare)
  return [
    worst
      ? `${worst.team} 佩戴率 ${worst.wearingPercent} %，最低${worst.worstHour === null ? '' : `，${worst.worstHour} 至 ${worst.worstHour + 1} 时最差`}`
      : '各班组都按要求佩戴',
    analysisFacts.figures.sos > 0 ? `SOS ${analysisFacts.figures.sos} 次` : '没有 SOS',
    wolf ? `${wolf.label}误报 ${wolf.falseCount} / ${wolf.count}，建议调整阈值` : '',
  ]
    .filter(Boolean)
    .join('；')
}
