import { leanLimit } from './piles.ts'

/** Verdicts a person can give on a pile. */
export const pileVerdictNames = { '1': '合格', '2': '存疑', '0': '不合格' } as const
export type PileVerdict = keyof typeof pileVerdictNames

interface Run {
  finalDepth: number | null
  maxVerticality: number | null
  doubts: readonly string[]
}
interface Test {
  kind: 'lowStrain' | 'staticLoad'
  integrity: '1' | '2' | '3' | '4' | null
  settlement: number | null
  isPassed: boolean | null
}

/** Greatest settlement in a load test, mm (JGJ 106-2014: 40 mm). */
export const settlementLimit = 40

/**
 * Verdict proposed from the newest record and the newest test of each kind: excessive inclination, integrity class IV or insufficient bearing
 * capacity means failed; missing or doubtful data or class III means doubtful. A person decides.
 */
export function proposalOf(run: Run | undefined, tests: readonly Test[]): { verdict: PileVerdict | null; grounds: string[] } {
  const against: string[] = []
  const open: string[] = []
  if (run) {
    if ((run.maxVerticality ?? 0) > leanLimit) against.push(`垂直度偏差 ${run.maxVerticality} %，超过 ${leanLimit} %`)
    if (run.finalDepth === null) open.push('没有终孔深度')
    open.push(...run.doubts.filter((one) => !one.startsWith('垂直度')))
  }
  const strain = tests.find((one) => one.kind === 'lowStrain')
  if (strain?.integrity === '4') against.push('低应变Ⅳ类')
  if (strain?.integrity === '3') open.push('低应变Ⅲ类')
  const load = tests.find((one) => one.kind === 'staticLoad')
  if (load?.isPassed === false) against.push('静载承载力不满足')
  if ((load?.settlement ?? 0) > settlementLimit) against.push(`静载沉降 ${load?.settlement} mm，超过 ${settlementLimit} mm`)
  if (!run && tests.length === 0) return { verdict: null, grounds: ['没有成桩记录和检测结果'] }
  if (against.length > 0) return { verdict: '0', grounds: [...against, ...open] }
  if (open.length > 0) return { verdict: '2', grounds: open }
  return { verdict: '1', grounds: ['记录与检测均在限值之内'] }
}
