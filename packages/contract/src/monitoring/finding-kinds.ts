interface FindingKind {
  /** Title of the card; `verb` is the label of the button that adds an entry. */
  title: string
  verb: string
  codes: Readonly<Record<string, string>>
  /** A decision: names a responsible person and the interval of measurements until it is resolved. */
  decides: boolean
}

/** Findings or decisions about alarms, by family; families not listed have forms of their own. */
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
/** Label of a code within its family. */
export const findingName = (family: string, code: string): string => findingKinds[family]?.codes[code] ?? code
/** Alarms without a cause to find out: they only state the condition of the device or a quota. */
export const noFinding: readonly string[] = ['offline', 'batteryLow', 'quota']
