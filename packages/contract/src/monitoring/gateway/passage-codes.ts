/** Codes of passages and their labels; directions, washing and covering are defined by the platform, the others by the camera. */
export const directions = { inward: '1', outward: '2' } as const
export const directionNames: Readonly<Record<string, string>> = { [directions.inward]: '进场', [directions.outward]: '出场' }
export const washes = { washed: '1', unwashed: '2', poor: '3' } as const
export const washNames: Readonly<Record<string, string>> = {
  [washes.washed]: '已冲洗',
  [washes.unwashed]: '未冲洗',
  [washes.poor]: '冲洗不足',
}
export const covers = { covered: '1', open: '2' } as const
export const coverNames: Readonly<Record<string, string>> = { [covers.covered]: '密闭', [covers.open]: '未密闭' }
export const plateColors: Readonly<Record<string, string>> = { 1: '蓝', 2: '黄', 3: '黑', 4: '白', 5: '绿', 9: '其他' }
export const muckTruck = '1'
export const vehicleTypeNames: Readonly<Record<string, string>> = {
  [muckTruck]: '渣土车',
  2: '混凝土车',
  3: '材料车',
  4: '小车',
  9: '其他',
}

/** Least seconds of wheel washing for a muck truck: the usual cycle of a drive-through line. */
export const washSecondsWanted = 30
