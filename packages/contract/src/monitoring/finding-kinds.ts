interface FindingKind {
  /** Of the card, and of the button that adds one. */
  title: string
  verb: string
  codes: Readonly<Record<string, string>>
  /** A decision names who sees to it, and how often is measured until it is over. */
  decides: boolean
}

/** What is found out or decided at alarms, by family; the others have their own ways. */
export const findingKinds: Readonly<Record<string, FindingKind>> = {
  electricMeter: {
    title: '查明原因',
    verb: '登记原因',
    codes: { damp: '潮湿', damaged: '破损', wiring: '接线', overload: '过载', cut: '计划停电', sensor: '误报' },
    decides: false,
  },
  waterMeter: {
    title: '查漏结果',
    verb: '登记查漏',
    codes: { pipe: '管件破损', valve: '阀门不严', tap: '龙头未关', meant: '夜间用水（养护等）', nothing: '未查到' },
    decides: false,
  },
  foundationPit: {
    title: '处置决定',
    verb: '作出决定',
    codes: { denser: '加密监测', stop: '暂停开挖', backfill: '回填反压', experts: '专家论证', sensor: '测点问题' },
    decides: true,
  },
  highFormwork: {
    title: '原因认定',
    verb: '认定原因',
    codes: { eccentric: '偏载', ground: '地基沉陷', member: '杆件', sensor: '传感器' },
    decides: false,
  },
}
/** The words of a code; each family has its own. */
export const findingName = (family: string, code: string): string => findingKinds[family]?.codes[code] ?? code
/** Nobody knows anything of a device that is silent or whose battery is low but that it is so. */
export const noFinding: readonly string[] = ['offline', 'batteryLow', 'quota']
