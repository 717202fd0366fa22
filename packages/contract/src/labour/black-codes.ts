/** States of a black-list entry (dictionary misconductState). */
export const blackStates = {
  draft: '0',
  waiting: '1',
  recognised: '2',
  rejected: '3',
  appealed: '4',
  repaired: '5',
  expired: '6',
  cancelled: '7',
} as const
export type BlackState = (typeof blackStates)[keyof typeof blackStates]

/** Scope of an entry (dictionary blacklistScope): one project, a company's projects and people, an area. */
export const blackScopes = { project: '1', company: '2', area: '3' } as const

/** States in which an entry bars people and companies, from its first to its last day. An appeal does not suspend it. */
export const holdingStates: readonly string[] = [blackStates.recognised, blackStates.appealed]

/**
 * Every transition with its permission code (建市〔2017〕241号); all others are refused. The proposer may withdraw until review begins. Entries
 * expire automatically.
 */
export const blackMoves = {
  submit: { name: '提交', from: ['0', '3'], to: '1', needs: 'labour.black' },
  withdraw: { name: '撤回', from: ['1'], to: '0', needs: 'labour.black' },
  decide: { name: '认定', from: ['1'], to: '2', needs: 'labour.blackAudit' },
  reject: { name: '驳回', from: ['1'], to: '3', needs: 'labour.blackAudit' },
  appeal: { name: '申诉', from: ['2'], to: '4', needs: 'labour.blackAppeal' },
  uphold: { name: '维持', from: ['4'], to: '2', needs: 'labour.blackAudit' },
  cancel: { name: '撤销', from: ['4'], to: '7', needs: 'labour.blackAudit' },
  repair: { name: '信用修复', from: ['2'], to: '5', needs: 'labour.blackAudit' },
} as const
export type BlackMove = keyof typeof blackMoves

/** Transitions that require a reason. */
export const explainedMoves: readonly string[] = ['reject', 'appeal', 'uphold', 'cancel', 'repair']

/** Working days the person has to answer before a decision. */
export const answerWorkingDays = 5
/** Days after the decision in which an appeal is possible (行政复议法 第二十条). */
export const appealDays = 60
/** Months before an entry can be repaired (建市〔2017〕241号 第十二条: shown for at least three months). */
export const repairMonths = 3
/** Years an entry lasts: at most, and by default. */
export const longestYears = 3
/** Reason 虚构劳资纠纷恶意讨薪: requires a judgement or official decision, because demanding wages is no ground for an entry. */
export const wageDisputeReason = '1'
