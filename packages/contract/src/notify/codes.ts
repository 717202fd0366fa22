/** Channels of dictionary pushChannel. The product cannot send over the others, and refuses them where a channel is chosen. */
export const noticeChannels = { '1': '站内消息', '2': '短信', '4': '邮件' } as const
export type NoticeChannel = keyof typeof noticeChannels
/** The channels by name. */
export const noticeChannel = { inApp: '1', sms: '2', mail: '4' } as const

export const noticeSteps: Readonly<Record<string, string>> = {
  open: '首次通知',
  upgrade: '升级通知',
  repeat: '重复提醒',
  escalate: '逐级上报',
  clear: '恢复通知',
  urge: '督办',
  digest: '汇总',
  drill: '演练',
  test: '测试',
  due: '到期提醒',
  warning: '接入警告',
  person: '人员预警',
  start: '联动启动',
  stop: '联动停止',
  hold: '联动未启动',
}

export const noticeStates: Readonly<Record<string, string>> = {
  waiting: '待发送',
  sent: '已发送',
  failed: '失败',
  skipped: '未发送',
  held: '联锁',
}

/** Roles of a site that are usually notified. */
export const siteRoles = ['安全员', '项目经理', '机械员', '劳务员', '项目管理员'] as const
/** Roles outside the project that a plan may name: other groups responsible for the site. */
export const outsideRoles = ['公司安全部', '监理单位', '建设单位', '监督机构'] as const

/** Maximum number of receivers of one message, and of devices that one message names. */
export const mostReceivers = 200
export const mostNamed = 50

/** Text of a message when the action has none of its own. A part whose value is unknown is left out. */
export const usualNoticeText = '{项目}：{设备}{告警}，{阈值}，当前 {数值}，{时间}'
