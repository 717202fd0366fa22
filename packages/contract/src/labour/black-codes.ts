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

/** How far an entry reaches (dictionary blacklistScope): one project, a company's projects and people, an area. */
export const blackScopes = { project: '1', company: '2', area: '3' } as const

/** In these an entry keeps people and companies out, between its two days; an appeal does not stop it. */
export const holdingStates: readonly string[] = [blackStates.recognised, blackStates.appealed]

/**
 * Every step there is, and the code it asks for (建市〔2017〕241号, entities.md 黑名单与不良行为); whatever is not here is refused. Withdrawing
 * is the proposer's before anybody has looked. The end by the calendar is the system's.
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

/** Steps that say why in words. */
export const explainedMoves: readonly string[] = ['reject', 'appeal', 'uphold', 'cancel', 'repair']

/** Days of the week in which the person may answer before anything is decided: five working days from being told. */
export const answerWorkingDays = 5
/** An appeal is lodged within so many days after the decision, as an application for administrative review is (行政复议法 第二十条). */
export const appealDays = 60
/** An entry stands at least so many months before it can be repaired (建市〔2017〕241号 第十二条: at least three months shown). */
export const repairMonths = 3
/** Years an entry of a person or company runs at most, and by itself. */
export const longestYears = 3
/** Reason 虚构劳资纠纷恶意讨薪: nobody is listed for asking for wages, so a judgement or an official decision is attached and named. */
export const wageDisputeReason = '1'
