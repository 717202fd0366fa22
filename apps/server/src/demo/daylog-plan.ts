/** What the demonstration's logs say, in turn by the day. */
export const works = [
  '主体八层①～⑧轴梁板钢筋绑扎，九层墙柱模板支设',
  '主体九层墙柱混凝土浇筑，七层砌体施工',
  '外脚手架随层搭设，六层二次结构植筋',
  '地下室顶板防水保护层，室外管沟开挖',
  '八层模板拆除与材料转运，十层放线',
  '屋面女儿墙砌筑，三层至五层抹灰',
] as const
export const safetyWords = [
  '临边、洞口防护完好，配电箱逐级检查正常，作业人员佩戴安全帽、安全带情况良好。',
  '塔机、施工升降机运行正常，吊装区域警戒到位；动火作业有看火人。',
  '脚手架连墙件复查无缺失，密目网个别破损已更换。',
  '班前教育已开展，特种作业人员持证上岗，夜间照明正常。',
] as const
export const qualityWords = [
  '钢筋间距、保护层抽查合格，模板垂直度偏差 3 mm 以内。',
  '混凝土坍落度 180 mm，试块按规定留置。',
  '砌体灰缝饱满度抽查 85% 以上，拉结筋设置符合要求。',
] as const
export const problemWords = [
  '五层电梯井口防护栏松动，已通知班组当日恢复',
  '木工加工区灭火器压力不足，已更换',
  '二级箱重复接地线松脱，电工已处理',
  '外架作业层脚手板有探头，已整改',
] as const
export const tomorrowWords = [
  '九层梁板浇筑，提前检查泵管与临电；塔机司机班前交底。',
  '砌体材料进场，控制楼层堆载。',
  '脚手架分段验收，做好高处作业交底。',
] as const

/** Days of history, and those that are told in detail, counted back from today. */
export const logDays = 34
export const story = {
  /** Two comments, one answered, and a problem that became an order. */
  commented: 3,
  unanswered: 6,
  /** Returned by 监理, changed and submitted again. */
  returned: 5,
  /** Written days later. */
  late: [9, 16],
  /** Rain that kept people from working. */
  rain: [8, 15, 22],
  /** 5# 楼 8 层: the pour of 120 m³. */
  pour: 4,
} as const
/** Sites by their order in the city that do not write every day; the second has been silent for days. */
export const careless = [2, 5] as const
export const silentFor = 5
