import { z } from 'zod'
import { itemResults } from '../scoring/score.ts'

/** The six hundreds (dictionary dustCheckItem, `core`), and what some cities add. */
export const dustItems: readonly { code: string; short: string; core: boolean; requirement: string }[] = [
  { code: '01', short: '围挡', core: true, requirement: '补齐并加固围挡，不留缺口' },
  { code: '02', short: '覆盖', core: true, requirement: '物料堆放全部覆盖' },
  { code: '03', short: '冲洗', core: true, requirement: '出场车辆逐车冲洗，冲洗设施恢复正常' },
  { code: '04', short: '硬化', core: true, requirement: '施工现场道路和场地硬化或铺装' },
  { code: '05', short: '湿法', core: true, requirement: '土方、拆除作业同步喷淋洒水' },
  { code: '06', short: '密闭', core: true, requirement: '渣土车密闭运输，未密闭不得出场' },
  { code: '07', short: '监测', core: false, requirement: '恢复扬尘在线监测设备联网' },
  { code: '08', short: '喷淋', core: false, requirement: '恢复雾炮、喷淋并按时开启' },
  { code: '09', short: '裸土', core: false, requirement: '裸露土方覆盖或绿化' },
  { code: '10', short: '机械', core: false, requirement: '非道路移动机械编码登记' },
  { code: '11', short: '公示', core: false, requirement: '更新扬尘防治公示牌和责任人' },
  { code: '12', short: '应急', core: false, requirement: '落实重污染天气应急响应措施' },
  { code: '13', short: '禁拌', core: false, requirement: '停止现场搅拌混凝土、砂浆' },
  { code: '14', short: '保洁', core: false, requirement: '道路清扫保洁并留存洒水记录' },
]
export const coreItems = dustItems.filter((one) => one.core)
/** 扬尘在线监测设备安装联网并在线: the platform knows by itself. */
export const monitorItem = '07'
/** 无 and Ⅲ级（黄色） in dictionary dustResponseLevel. */
export const [noResponse, yellowResponse] = ['0', '3'] as const

/** 红色 and 橙色 in dictionary dustResponseLevel: construction is restricted. */
export const restricting: readonly string[] = ['1', '2']
/** What a response of this level asks for on the day. */
export const responseMeasures: Readonly<Record<string, readonly string[]>> = {
  1: ['停止土方、拆除、喷涂和混凝土搅拌作业', '渣土车、非道路移动机械停止使用', '裸土全覆盖，每小时洒水一次', '喷淋、雾炮全时段开启'],
  2: ['停止土方开挖、回填和拆除作业', '渣土车停止上路', '裸土全覆盖，每日洒水不少于 6 次', '喷淋每小时开启不少于 15 分钟'],
  3: ['减少土方作业，施工时同步湿法降尘', '道路清扫保洁每日不少于 4 次'],
}

/** Share of items that fit among those that were judged, in percent with two digits; null when none was. */
export function passRateOf(items: readonly { result: string }[]): number | null {
  const judged = items.filter((one) => one.result === itemResults.right || one.result === itemResults.wrong)
  if (judged.length === 0) return null
  const passed = judged.filter((one) => one.result === itemResults.right).length
  return Math.round((passed / judged.length) * 10_000) / 100
}

/** What the platform itself knows of a site on the day of a check; a missing device is null, never zero. */
export const dustEvidence = z.object({
  stations: z.number().int(),
  online: z.number().int(),
  pm10: z.number().nullable(),
  /** Mean of the last hour. */
  pm10Hour: z.number().nullable(),
  windSpeed: z.number().nullable(),
  humidity: z.number().nullable(),
  /** Vehicles that left today, and the share washed and covered in percent. */
  left: z.number().int().nullable(),
  washedRate: z.number().nullable(),
  coveredRate: z.number().nullable(),
  sprayRuns: z.number().int().nullable(),
  lastSpray: z.string().nullable(),
  alarms: z.number().int(),
})
export type DustEvidence = z.output<typeof dustEvidence>
