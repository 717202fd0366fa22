import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import type { helmetAnalysis } from '@zhugong/contract/monitoring/helmet-statistics'

type Told = Pick<OutputFor<typeof helmetAnalysis>, 'coverage' | 'figures' | 'teams' | 'kinds'>
/** From this share of false alarms on a kind cries wolf; of fewer alarms a share is chance. */
const wolfShare = 0.5
const leastAlarms = 4

/** What the period says in one sentence: which team to train, which alarm to adjust. */
export function sentenceOf(told: Told): string {
  if (told.coverage === 0 && told.figures.alarms === 0) return '本期没有数据'
  const worst = told.teams.find((one) => one.wearingPercent !== null && one.wearingPercent < 100)
  const wolf = told.kinds.find((one) => one.count >= leastAlarms && one.falseCount / one.count >= wolfShare)
  return [
    worst
      ? `${worst.team} 佩戴率 ${worst.wearingPercent} %，最低${worst.worstHour === null ? '' : `，${worst.worstHour} 至 ${worst.worstHour + 1} 时最差`}`
      : '各班组都按要求佩戴',
    told.figures.sos > 0 ? `SOS ${told.figures.sos} 次` : '没有 SOS',
    wolf ? `${wolf.label}误报 ${wolf.falseCount} / ${wolf.count}，建议调整阈值` : '',
  ]
    .filter(Boolean)
    .join('；')
}
