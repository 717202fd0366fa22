/** Range of possible body temperatures in °C; a value outside is an error of the device. */
export const bodyRange = { low: 35, high: 42 } as const

/** Dictionary tempAlarmLevel. */
export const tempLevels = { normal: '1', fever: '2', high: '3' } as const
export const tempLevelNames: Readonly<Record<string, string>> = { '1': '正常', '2': '发热', '3': '高热' }

export const levelOf = (value: number, limits: { threshold: number; high: number }): string =>
  value >= limits.high ? tempLevels.high : value >= limits.threshold ? tempLevels.fever : tempLevels.normal

/** The states of dictionary alarmHandleState that temperature alarms use. */
export const tempStates = { open: '0', taken: '1', handled: '2', mistaken: '4' } as const
export const tempStateNames: Readonly<Record<string, string>> = { '0': '未处理', '1': '处理中', '2': '已处理', '4': '误报' }

export const tempActions = {
  take: { name: '接单', from: ['0'], to: '1' },
  recheck: { name: '登记复测', from: ['0', '1'], to: '1' },
  handle: { name: '处理', from: ['0', '1'], to: '2' },
  mistake: { name: '误报', from: ['0', '1'], to: '4' },
} as const satisfies Record<string, { name: string; from: readonly string[]; to: string }>
export type TempAction = keyof typeof tempActions
export const mayTurnTemp = (state: string, action: TempAction): boolean => (tempActions[action].from as readonly string[]).includes(state)

/** Where the person went. */
export const outcomes = ['返岗', '休息', '就医'] as const

/** Result of a declaration (dictionary epidemicStatus): 1 well, 2 to be observed, 3 unwell. */
export function declaredState(d: { temperature: number | null; symptoms: string | null }, threshold: number): '1' | '2' | '3' {
  if (d.temperature !== null && d.temperature >= threshold) return '3'
  return d.symptoms?.trim() && !/^(无|没有|正常)/.test(d.symptoms.trim()) ? '2' : '1'
}
export const declaredNames: Readonly<Record<string, string>> = { '1': '正常', '2': '需观察', '3': '异常' }
