import { fullStop } from '@zhugong/contract/rectify/moves'

/** Which notices the demonstration has: so many of each state, at which sites, from whom, and how they went. */

/** The next state of a notice, whichever way it came there (dictionary rectifyState). */
type State = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8'

export interface NoticePlan {
  /** Key of the site: its accounts begin with it. */
  site: string
  state: State
  /** Account that issues it; its group is the issuer. */
  by: string
  /** Days ago it was issued. 0: some hours ago. */
  age: number
  /** Deadline in days from today, negative when it has passed. */
  due: number
  /** Days ago of the last step; of running ones how long it waits. */
  since: number
  lines: number
  noticeType?: string
  /** With a clause that makes it a major hazard, and problems of that scene first. */
  major?: 'tie' | 'rail' | 'props'
  /** Who returned it, round by round. */
  returned?: readonly ('supervisor' | 'issuer')[]
  /** How many problems come back each time. */
  failing?: number
  /** Days that granted extensions added, one after another. */
  extended?: readonly number[]
  /** Days that are asked for and not decided. */
  asked?: number
  deemed?: boolean
  /** Answers written and not sent. */
  drafted?: number
  urged?: boolean
  /** Answered on paper, which the authority wrote down, for this reason. */
  onPaper?: string
  /** Key of the company that is responsible; the general contractor otherwise. By the words of its name. */
  corp?: RegExp
  /** Only problems of these categories. */
  category?: string
}

const bj = ['bj-zhao', 'bj-qian', 'bj-sun', 'bj-zheng'] as const
const yd = ['yd-wang'] as const
/** Who decides extensions at an authority, by the first letters of its accounts. */
export const governmentHeads: Readonly<Record<string, string>> = { bj: 'bj-wu', yd: 'yd-wang' }

/** Running notices of the authorities: 22, of them 6 late by 1, 4 and 9 days. */
const openNotices: readonly NoticePlan[] = [
  { site: 'hospital', state: '1', by: 'bj-zhao', age: 0, due: 7, since: 0, lines: 3 },
  { site: 'hospital', state: '2', by: 'bj-qian', age: 3, due: 4, since: 2, lines: 5, deemed: true },
  { site: 'hospital', state: '2', by: 'bj-zhao', age: 6, due: 1, since: 1, lines: 2, asked: 5 },
  { site: 'hospital', state: '3', by: 'bj-zhao', age: 8, due: -1, since: 1, lines: 5, drafted: 3, urged: true },
  { site: 'hospital', state: '3', by: 'bj-sun', age: 5, due: 8, since: 2, lines: 4, noticeType: '3', major: 'tie', corp: /架业/ },
  { site: 'hospital', state: '4', by: 'bj-zhao', age: 6, due: 1, since: 2, lines: 4 },
  { site: 'hospital', state: '5', by: 'bj-zhao', age: 7, due: 0, since: 1, lines: 6 },
  { site: 'hospital', state: '5', by: 'bj-qian', age: 12, due: 2, since: 2, lines: 3, returned: ['supervisor'], failing: 1, major: 'rail' },
  { site: 'hospital', state: '6', by: 'bj-zhao', age: 14, due: 2, since: 1, lines: 8, returned: ['issuer'], failing: 3, extended: [5] },
  { site: 'dongwan', state: '1', by: 'bj-sun', age: 0, due: 7, since: 0, lines: 2 },
  { site: 'dongwan', state: '3', by: 'bj-zhao', age: 11, due: -4, since: 3, lines: 3, urged: true },
  { site: 'dongwan', state: '4', by: 'bj-zheng', age: 5, due: 2, since: 1, lines: 2, category: '07' },
  { site: 'dongwan', state: '5', by: 'bj-zhao', age: 8, due: 3, since: 3, lines: 4, category: '02' },
  {
    site: 'dongwan',
    state: '6',
    by: 'bj-qian',
    age: 26,
    due: -9,
    since: 4,
    lines: 3,
    returned: ['issuer', 'issuer', 'issuer'],
    failing: 1,
  },
  { site: 'jiangtan', state: '3', by: 'bj-zheng', age: 24, due: -9, since: 5, lines: 4, noticeType: '3', major: 'rail', urged: true },
  { site: 'jiangtan', state: '2', by: 'bj-zhao', age: 22, due: 5, since: 6, lines: 2, extended: [7, 6] },
  { site: 'jiangtan', state: '6', by: 'bj-sun', age: 19, due: 3, since: 2, lines: 3, returned: ['issuer', 'issuer', 'issuer'], failing: 2 },
  { site: 'tunnel', state: '2', by: 'bj-zheng', age: 8, due: -1, since: 7, lines: 2 },
  {
    site: 'tunnel',
    state: '4',
    by: 'bj-sun',
    age: 6,
    due: 1,
    since: 1,
    lines: 3,
    onPaper: '洞口标段驻地网络中断，送来纸质整改报告',
  },
  { site: 'zhigu', state: '3', by: 'yd-wang', age: 11, due: -4, since: 8, lines: 3, category: '06' },
  { site: 'zhigu', state: '5', by: 'yd-wang', age: 7, due: 2, since: 1, lines: 2 },
  { site: 'school', state: '1', by: 'yd-wang', age: 0, due: 7, since: 0, lines: 1 },
]

/** Closed ones, a few a week; the oldest lie ten weeks back. */
function closedAt(site: string, accounts: readonly string[], ages: readonly number[]): NoticePlan[] {
  return ages.map((age, i) => {
    const by = accounts[i % accounts.length] ?? accounts[0] ?? ''
    const took = 4 + ((age * 3 + i) % 6)
    const isReturned = i % 4 === 1
    return {
      site,
      state: '7',
      by,
      age,
      // One in six was closed after its deadline.
      due: -age + (i % 6 === 5 ? took - 1 : 8),
      since: age - took - (isReturned ? 2 : 0),
      lines: 1 + ((age + i * 2) % 5),
      ...(i % 5 === 2 ? { category: '02' } : {}),
      ...(isReturned ? { returned: [i % 8 === 1 ? ('supervisor' as const) : ('issuer' as const)], failing: 1 } : {}),
    }
  })
}

export const governmentNotices: readonly NoticePlan[] = [
  ...openNotices,
  { site: 'hospital', state: '0', by: 'bj-zhao', age: 1, due: 7, since: 1, lines: 2 },
  { site: 'hospital', state: '8', by: 'bj-sun', age: 17, due: -10, since: 16, lines: 1 },
  ...closedAt('hospital', bj, [18, 23, 29, 34, 41, 48, 57, 66]),
  // The oldest one of the site stopped it for some days.
  ...closedAt('dongwan', bj, [19, 25, 31, 38, 45, 53, 61, 68]).map((one) => (one.age === 68 ? { ...one, noticeType: fullStop } : one)),
  ...closedAt('jiangtan', bj, [28, 36, 44, 52, 59, 67]),
  ...closedAt('tunnel', bj, [20, 33, 43, 54, 65]),
  ...closedAt('zhigu', yd, [16, 27, 39, 50, 62]),
  ...closedAt('school', yd, [24, 37, 49, 63]),
]

/** Orders of the sites, their companies and 监理: 48, of them 5 late and one in its third round. */
export const siteOrders: readonly NoticePlan[] = [
  { site: 'hospital', state: '0', by: 'hospital-pm', age: 1, due: 6, since: 1, lines: 1 },
  { site: 'hospital', state: '1', by: 'hospital-pm', age: 0, due: 5, since: 0, lines: 2, corp: /机电/, category: '01' },
  { site: 'hospital', state: '1', by: 'yunze-lu', age: 0, due: 7, since: 0, lines: 3 },
  { site: 'hospital', state: '2', by: 'hospital-jl', age: 4, due: 3, since: 3, lines: 3, corp: /架业/, category: '03' },
  { site: 'hospital', state: '3', by: 'hospital-pm', age: 6, due: -2, since: 4, lines: 2, corp: /幕墙/, category: '07' },
  { site: 'hospital', state: '4', by: 'hospital-pm', age: 9, due: 1, since: 1, lines: 3, returned: ['supervisor'], failing: 1 },
  { site: 'hospital', state: '5', by: 'yunze-lu', age: 6, due: 2, since: 1, lines: 4 },
  { site: 'hospital', state: '5', by: 'hospital-pm', age: 5, due: 0, since: 1, lines: 2, corp: /架业/ },
  { site: 'hospital', state: '5', by: 'hospital-jl', age: 8, due: 2, since: 2, lines: 2 },
  {
    site: 'hospital',
    state: '6',
    by: 'hospital-pm',
    age: 15,
    due: -3,
    since: 1,
    lines: 3,
    returned: ['supervisor', 'issuer'],
    failing: 1,
    corp: /租赁/,
    category: '04',
  },
  { site: 'hospital', state: '8', by: 'hospital-pm', age: 21, due: -15, since: 20, lines: 1 },
  { site: 'dongwan', state: '2', by: 'dongwan-pm', age: 5, due: 2, since: 4, lines: 2, corp: /劳务/ },
  { site: 'dongwan', state: '3', by: 'dongwan-pm', age: 9, due: -1, since: 3, lines: 2 },
  { site: 'dongwan', state: '4', by: 'dongwan-jl', age: 7, due: 0, since: 1, lines: 3, corp: /机电/, category: '01' },
  { site: 'jiangtan', state: '3', by: 'yunze-lu', age: 14, due: -6, since: 6, lines: 3 },
  { site: 'tunnel', state: '4', by: 'tunnel-pm', age: 4, due: 3, since: 1, lines: 1 },
  { site: 'zhigu', state: '2', by: 'zhigu-pm', age: 3, due: 4, since: 2, lines: 2, category: '06' },
  { site: 'zhigu', state: '3', by: 'chuyuan-li', age: 8, due: -1, since: 2, lines: 3 },
  { site: 'school', state: '5', by: 'chuyuan-li', age: 6, due: 1, since: 2, lines: 1 },
  ...closedAt('hospital', ['hospital-pm', 'yunze-lu', 'hospital-pm', 'hospital-jl'], [13, 18, 24, 30, 37, 45, 56]),
  ...closedAt('dongwan', ['dongwan-pm', 'dongwan-jl'], [12, 20, 29, 38, 47, 58]),
  ...closedAt('jiangtan', ['jiangtan-pm', 'yunze-lu'], [33, 55]),
  ...closedAt('tunnel', ['tunnel-pm', 'tunnel-jl'], [14, 26, 40, 51]),
  ...closedAt('zhigu', ['zhigu-pm', 'chuyuan-li', 'zhigu-jl'], [11, 19, 28, 39, 46, 60]),
  ...closedAt('school', ['school-pm', 'chuyuan-li'], [17, 31, 43, 57]),
]
