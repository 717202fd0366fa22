import { dayMs, hourMs, minuteMs } from '@zhugong/contract/kit/time'
import type { RectifyAction } from '@zhugong/contract/rectify/moves'
import type { ReplyState } from '@zhugong/contract/rectify/reply-model'
import type { Random } from '@zhugong/simulator/random'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { NoticePlan } from './rectify-plan.ts'
import type { ProblemWords } from './rectify-problems.ts'

export interface Actor {
  id: string
  name: string
  groupId: string
  groupName: string
}
export interface Cast {
  issuer: Actor
  /** Decides extensions. */
  head: Actor
  signer: Actor
  replier: Actor
  supervisor: Actor
  /** Name of the second officer; null where one signs alone. */
  second: string | null
}

export interface Step {
  action: RectifyAction | 'create'
  from: string | null
  to: string
  by: Pick<Actor, 'id' | 'name' | 'groupName'>
  at: Date
  opinion: string | null
}
export interface Answer {
  round: number
  draft: boolean
  at: Date
  reviewPassed: boolean | null
  reviewOpinion: string | null
  recheckPassed: boolean | null
  recheckOpinion: string | null
}
interface Line {
  words: ProblemWords
  state: 'open' | 'answered' | 'passed'
  answers: Answer[]
}
/** A round of reply, with the verdicts on it. */
interface Round {
  round: number
  lines: number
  at: Date
  by: Actor
  opinion: string
  state: ReplyState
  since: Date
  reviewPassed: boolean | null
  reviewBy: string | null
  reviewAt: Date | null
  recheckPassed: boolean | null
  recheckBy: string | null
  recheckGroup: string | null
  second: string | null
  onSite: boolean | null
  recheckAt: Date | null
  paper: { reason: string } | null
}
interface Extension {
  until: string
  reason: string
  at: Date
  agreed: boolean | null
  opinion: string | null
}

/** What became of a notice: its columns, problems and every step, as the calls would have written them. */
export class Story {
  state = '0'
  version = 0
  returns = 0
  extendCount = 0
  deadline: string
  issueTime: Date | null = null
  receiveTime: Date | null = null
  replyTime: Date | null = null
  urgedAt: Date | null = null
  closeTime: Date | null = null
  readonly steps: Step[] = []
  readonly rounds: Round[] = []
  readonly extensions: Extension[] = []
  readonly lines: Line[]
  readonly plan: NoticePlan
  readonly cast: Cast
  private failed = 0

  constructor(plan: NoticePlan, cast: Cast, words: readonly ProblemWords[], today: string) {
    this.plan = plan
    this.cast = cast
    this.lines = words.map((one) => ({ words: one, state: 'open', answers: [] }))
    this.deadline = addDays(today, plan.due - (plan.extended ?? []).reduce((sum, days) => sum + days, 0))
  }

  take(action: Step['action'], at: Date): void {
    const { by, to, opinion = null } = this[action in extras ? extras[action as Extra] : 'plainly'](action, at)
    const from = action === 'create' ? null : this.state
    this.steps.push({ action, from, to, by, at, opinion })
    this.state = to
    if (action !== 'create') this.version++
  }

  protected plainly(action: Step['action'], at: Date) {
    const { issuer, signer, replier } = this.cast
    if (action === 'create') return { by: issuer, to: '0' }
    if (action === 'issue') {
      this.issueTime = at
      return { by: issuer, to: '1' }
    }
    if (action === 'start') return { by: signer, to: '3' }
    if (action === 'urge') {
      this.urgedAt = at
      return { by: issuer, to: this.state }
    }
    if (action === 'revoke') {
      this.closeTime = at
      return { by: issuer, to: '8', opinion: '同一问题已在前一份通知中下发，本份重复，予以撤销' }
    }
    if (action !== 'saveReply') throw new Error(`no story of ${action}`)
    for (const line of this.lines.slice(0, this.plan.drafted)) line.answers.push(this.answered(at, true))
    return { by: replier, to: this.state }
  }

  protected signed(_action: Step['action'], at: Date) {
    this.receiveTime = at
    const { signer, issuer } = this.cast
    if (!this.plan.deemed) return { by: signer, to: '2' }
    return { by: { id: 'system', name: '系统', groupName: issuer.groupName }, to: '2', opinion: '下发满 24 小时未签收，视同送达' }
  }

  protected replied(_action: Step['action'], at: Date) {
    const open = this.lines.filter((line) => line.state === 'open')
    for (const line of open) {
      line.answers.push(this.answered(at, false))
      line.state = 'answered'
    }
    this.replyTime = at
    const opinion = this.returns > 0 ? `退回的 ${open.length} 个问题已重新整改，请复核` : `${open.length} 个问题均已整改完成并自查合格`
    const { issuer, replier } = this.cast
    const paper = this.plan.onPaper ? { reason: this.plan.onPaper } : null
    this.rounds.push({
      round: this.returns + 1,
      lines: open.length,
      at,
      by: paper ? issuer : replier,
      opinion,
      state: 'review',
      since: at,
      reviewPassed: null,
      reviewBy: null,
      reviewAt: null,
      recheckPassed: null,
      recheckBy: null,
      recheckGroup: null,
      second: null,
      onSite: null,
      recheckAt: null,
      paper,
    })
    if (paper) return { by: issuer, to: '4', opinion: `代录，${paper.reason}：${opinion}` }
    return { by: replier, to: '4', opinion }
  }

  private answered(at: Date, draft: boolean): Answer {
    const none = { reviewPassed: null, reviewOpinion: null, recheckPassed: null, recheckOpinion: null }
    return { round: this.returns + 1, draft, at, ...none }
  }

  /** The newest answers to problems that wait for a verdict, and those that fail this time. */
  private judged(fails: boolean) {
    const waiting = this.lines.flatMap((line) => {
      const answer = line.answers.at(-1)
      return line.state === 'answered' && answer ? [{ line, answer }] : []
    })
    // What came back before comes back again.
    const again = waiting.filter(({ answer }) => answer.round === this.returns + 1)
    const failing = fails ? again.slice(-(this.plan.failing ?? 1)) : []
    return { waiting, failing }
  }

  protected reviewed(action: Step['action'], at: Date) {
    const { waiting, failing } = this.judged(action === 'jlReturn')
    const passes = action === 'jlPass' ? '经现场复核，整改属实，同意报复查' : null
    for (const { answer } of waiting) Object.assign(answer, { reviewPassed: true, reviewOpinion: passes ?? answer.reviewOpinion })
    for (const { line, answer } of failing) {
      Object.assign(answer, { reviewPassed: false, reviewOpinion: line.words.fault })
      line.state = 'open'
    }
    const reviewed = { reviewPassed: passes !== null, reviewBy: this.cast.supervisor.name, reviewAt: at, since: at }
    Object.assign(this.rounds.at(-1) ?? {}, reviewed, { state: passes ? 'recheck' : 'returned' })
    if (action === 'jlPass') return { by: this.cast.supervisor, to: '5', opinion: passes }
    this.returns++
    return { by: this.cast.supervisor, to: '6', opinion: returned(failing) }
  }

  protected rechecked(action: Step['action'], at: Date) {
    const { waiting, failing } = this.judged(action === 'recheckFail')
    const { issuer, second } = this.cast
    const passes = action === 'recheckPass' ? '现场复查，整改到位，同意闭合' : null
    for (const { line, answer } of waiting) {
      const fault = failing.some((one) => one.line === line) ? line.words.fault : null
      Object.assign(answer, { recheckPassed: fault === null, recheckOpinion: fault ?? passes })
      line.state = fault === null ? 'passed' : 'open'
    }
    const rechecked = {
      recheckPassed: passes !== null,
      recheckBy: issuer.name,
      recheckGroup: issuer.groupId,
      recheckAt: at,
      since: at,
      second,
    }
    Object.assign(this.rounds.at(-1) ?? {}, rechecked, { state: passes ? 'passed' : 'returned', onSite: passes ? true : null })
    const withSecond = (text: string) => (second ? `${text}，同查：${second}` : text)
    if (passes === null) {
      this.returns++
      return { by: issuer, to: '6', opinion: withSecond(returned(failing)) }
    }
    this.closeTime = at
    return { by: issuer, to: '7', opinion: withSecond(passes) }
  }

  protected asked(_action: Step['action'], at: Date) {
    const days = this.plan.extended?.[this.extensions.length] ?? this.plan.asked ?? 0
    const until = addDays(this.deadline, days)
    const reason = ['定型化材料到场延迟，已签补充供货单', '连续降雨，外架作业停止'][this.extensions.length] ?? '需重新报审专项方案'
    this.extensions.push({ until, reason, at, agreed: null, opinion: null })
    return { by: this.cast.signer, to: this.state, opinion: `延至 ${until}：${reason}` }
  }

  protected decided() {
    const last = this.extensions.at(-1)
    if (!last) throw new Error('nobody asked')
    Object.assign(last, { agreed: true, opinion: '情况属实，期间落实临时防护' })
    this.deadline = last.until
    this.extendCount++
    return { by: this.cast.head, to: this.state, opinion: `同意延至 ${last.until}：${last.opinion}` }
  }
}

const extras = {
  sign: 'signed',
  reply: 'replied',
  proxyReply: 'replied',
  jlPass: 'reviewed',
  jlReturn: 'reviewed',
  recheckPass: 'rechecked',
  recheckFail: 'rechecked',
  applyExtend: 'asked',
  decideExtend: 'decided',
} as const
type Extra = keyof typeof extras

const returned = (failing: readonly { line: Line }[]) =>
  `${failing.length} 个问题不合格：${failing.map(({ line }) => line.words.fault).join('；')}`

/** The steps a notice took to where it is now. */
function stepsOf(
  { state, returned: rounds = [], extended = [], asked, drafted, urged, onPaper }: NoticePlan,
  isWritten: boolean,
): Step['action'][] {
  if (state === '0') return ['create']
  const steps: Step['action'][] = isWritten ? ['create', 'issue'] : ['issue']
  if (state === '1') return steps
  steps.push('sign', ...extended.flatMap(() => ['applyExtend', 'decideExtend'] as const))
  if (state === '8') return [...steps, 'revoke']
  if (state !== '2') steps.push('start')
  for (const who of rounds) steps.push('reply', ...(who === 'supervisor' ? (['jlReturn'] as const) : (['jlPass', 'recheckFail'] as const)))
  if ('457'.includes(state)) steps.push(onPaper ? 'proxyReply' : 'reply')
  if ('57'.includes(state)) steps.push('jlPass')
  if (state === '7') steps.push('recheckPass')
  if (drafted) steps.push('saveReply')
  if (asked) steps.push('applyExtend')
  if (urged) steps.push('urge')
  return steps
}

/** Moments of the steps: at work, in order, the last as long ago as planned; nothing lies in the future. */
function timesOf(plan: NoticePlan, steps: readonly Step['action'][], now: number, random: Random): Date[] {
  const { age, since } = plan
  const dayAt = (ago: number, minutes: number) => startOfDay(addDays(formatDay(now), -ago)) + Math.round(minutes) * minuteMs
  const issued = (age === 0 ? now - random.int(100, 290) * minuteMs : dayAt(age, random.int(600, 990))) + random.int(0, 59) * 1000
  const signs = plan.deemed ? issued + dayMs : dayAt(age - 1, random.int(485, 590))
  const later = steps.filter((action) => !['create', 'issue', 'sign'].includes(action))
  const days = later.map((_, i) => Math.round(age - 1 - ((age - 1 - since) * (i + 1)) / later.length))
  let at = -1
  return steps.map((action) => {
    if (action === 'create') return new Date(issued - hourMs)
    if (action === 'issue') return new Date(issued)
    if (action === 'sign') return new Date(signs)
    at++
    const day = days[at] ?? since
    const [no, many] = [days.slice(0, at).filter((one) => one === day).length, days.filter((one) => one === day).length]
    return new Date(dayAt(day, 620 + ((no + random.float(0.2, 0.8)) / many) * 420))
  })
}

/** Takes a notice through all its steps. */
export function tellStory(plan: NoticePlan, cast: Cast, words: readonly ProblemWords[], now: number, random: Random): Story {
  const story = new Story(plan, cast, words, formatDay(now))
  const steps = stepsOf(plan, random.chance(0.25))
  const times = timesOf(plan, steps, now, random)
  for (const [i, action] of steps.entries()) story.take(action, times[i] as Date)
  return story
}
