/** Codes of weighing tickets and their labels, shared by pages, files and documents. */
export const ticketStatus = { waiting: '1', done: '2', void: '3' } as const
export const ticketStatusNames: Readonly<Record<string, string>> = {
  [ticketStatus.waiting]: '待二次过磅',
  [ticketStatus.done]: '完成',
  [ticketStatus.void]: '作废',
}

export const weighType = { inward: '1', outward: '2', muck: '3' } as const
export const weighTypeNames: Readonly<Record<string, string>> = {
  [weighType.inward]: '进场收料',
  [weighType.outward]: '出场发料',
  [weighType.muck]: '渣土外运',
}

export const deviationNames = { short: '负差', over: '正差', normal: '正常', none: '无面单' } as const
export type DeviationState = keyof typeof deviationNames

/** Greatest total mass of a truck with six axles or more, tonnes (GB 1589-2016, 4.2). */
export const roadLimitTonnes = 49

interface Weights {
  grossWeight: number | null
  tareWeight: number | null
  deductWeight: number
  actualWeight: number | null
  billWeight: number | null
  deviationPercent: number | null
}

/** `46.32 - 14.90 - 0.20 = 31.22 t，面单 32.00 t，偏差 -2.44 %`; says which weighing is missing. */
export function sumWords({ grossWeight, tareWeight, deductWeight, actualWeight, billWeight, deviationPercent }: Weights): string {
  const t = (n: number | null) => (n === null || n === 0 ? '未称' : n.toFixed(3))
  const deducted = deductWeight > 0 ? ` - ${deductWeight.toFixed(3)}` : ''
  const line = `${t(grossWeight)} - ${t(tareWeight)}${deducted} = ${actualWeight === null ? '待二次过磅' : `${actualWeight.toFixed(3)} t`}`
  const bill = billWeight === null ? '' : `，面单 ${billWeight.toFixed(3)} t`
  const deviation = deviationPercent === null ? '' : `，偏差 ${deviationPercent > 0 ? '+' : ''}${deviationPercent.toFixed(2)} %`
  return `${line}${bill}${deviation}`
}
