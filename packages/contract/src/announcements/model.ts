/** 通知公告: what an authority, company, site or the platform tells exactly these people, and who has read or signed it. Words and limits. */

export const noticeStates = { '0': '草稿', '1': '待审核', '2': '已发布', '3': '已撤回', '4': '已过期', '5': '待发布' } as const
export type AnnouncementState = keyof typeof noticeStates
/** The same codes by name. `timed` is agreed to and waits for its time; it has no code in dictionary noticeState. */
export const stateOf = { draft: '0', submitted: '1', published: '2', recalled: '3', expired: '4', timed: '5' } as const
/** States in which readers read the text. */
export const readableStates: readonly AnnouncementState[] = [stateOf.published, stateOf.expired]
/** States of which readers know. */
export const shownStates: readonly AnnouncementState[] = [...readableStates, stateOf.recalled]

/** A notice from the side of one reader. `late`: joined after it was published, so not counted. */
export const readerStates = {
  unread: '未读',
  read: '已读',
  unsigned: '待签收',
  signed: '已签收',
  overdue: '超期',
  late: '后加入',
  recalled: '已撤回',
} as const
export type ReaderState = keyof typeof readerStates
/** What the bell, the home page and the to-do list count. */
export const waitingStates: readonly ReaderState[] = ['unread', 'unsigned', 'overdue']

export const receiptStates = { unread: '未读', read: '已读', unsigned: '已读未签收', signed: '已签收', overdue: '超期' } as const
export type ReceiptState = keyof typeof receiptStates

export const lineKinds = {
  all: '全部',
  area: '区划',
  government: '机构',
  corporation: '企业',
  project: '项目',
  person: '人员',
} as const
export type LineKind = keyof typeof lineKinds

export const longestText = 20_000
export const mostFiles = 20
export const mostLines = 20
export const mostTargets = 200
export const mostRoles = 20
/** Notices that a group keeps on top. */
export const mostTop = 5
/** Above this number of recipients the sender confirms the number. */
export const askedAbove = 500
/** Those missing are reminded once in this many hours. */
export const remindHours = 4
/** A deadline this near is marked. */
export const nearDays = 2
export const mostMarked = 200
