/** Recognised events, in the catalogue's words. */
export const aiTypes = {
  noHelmet: '未戴安全帽',
  noVest: '未穿反光衣',
  smoking: '吸烟',
  fire: '明火',
  smoke: '烟雾',
  phone: '打电话',
  intrusion: '区域入侵',
  climbing: '翻越围栏',
  fallDown: '人员倒地',
  crowd: '人员聚集',
  nakedSoil: '裸土未覆盖',
  truckNotWashed: '车辆未冲洗',
  truckUncovered: '车辆未密闭',
  guardAbsent: '离岗',
} as const
export type AiType = keyof typeof aiTypes
/** These must be reviewed one by one, never in a batch. */
export const graveAiTypes: readonly string[] = ['fire', 'smoke', 'fallDown']
/** Below this confidence an event is stored but raises no alarm. */
export const leastConfidence = 0.6
