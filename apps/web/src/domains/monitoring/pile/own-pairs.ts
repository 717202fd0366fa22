import type { PileRun } from '@zhugong/contract/monitoring/pile/pile-register'
import { measure, thousands } from '#kit/format.ts'

/** Acceptance figures of the pile's kind: grout, pressure or the last ten blows. */
export function ownPairs({
  groutTotal,
  groutPercent,
  finalPressure,
  finalPenetration,
  designPressure,
}: Pick<PileRun, 'groutTotal' | 'groutPercent' | 'finalPressure' | 'finalPenetration' | 'designPressure'>) {
  const grout =
    groutTotal === null ? null : `${thousands(groutTotal)} L${groutPercent === null ? '' : `，设计的 ${measure(groutPercent, 1)} %`}`
  const pairs = [
    ...(grout === null ? [] : [{ label: '总浆量', value: grout }]),
    ...(finalPressure === null
      ? []
      : [{ label: '终压力', value: `${thousands(finalPressure)}${designPressure === null ? '' : ` / ${thousands(designPressure)}`} kN` }]),
    ...(finalPenetration === null ? [] : [{ label: '最后十击贯入度', value: `${measure(finalPenetration, 1)} mm` }]),
  ]
  return pairs.length > 0 ? pairs : [{ label: '总浆量', value: null }]
}
