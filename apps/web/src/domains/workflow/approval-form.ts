import type { ApprovalAct, ApprovalDetail } from '@zhugong/contract/workflow/endpoints'

export const verdictNames = ['pass', 'reject', 'transfer', 'addSign'] as const
export type Verdict = (typeof verdictNames)[number]
const isVerdict = (act: ApprovalAct): act is Verdict => (verdictNames as readonly string[]).includes(act)

/** Value of `returnTo` for a refusal that goes back to the submitter. */
export const toSubmitter = '*'

type Item = Pick<ApprovalDetail, 'version' | 'actions' | 'returnTo' | 'colleagues' | 'hash' | 'sign'>

/** What the user has entered about an item, and the version of the item it refers to. */
export interface DecisionForm {
  /** Version shown when the user began to write, or the one checked since. */
  version: number
  /** Whether the user has entered anything. */
  touched: boolean
  verdict: Verdict
  opinion: string
  returnTo: string
  people: readonly string[]
  /** A drawn signature and the hash of the document under it. */
  signature: { image: string; hash: string } | undefined
}

export const choicesOf = (item: Pick<Item, 'actions'>): Verdict[] => item.actions.filter(isVerdict)

export const newForm = (item: Item): DecisionForm => ({
  version: item.version,
  touched: false,
  verdict: choicesOf(item)[0] ?? 'pass',
  opinion: '',
  returnTo: toSubmitter,
  people: [],
  signature: undefined,
})

/**
 * The form beside a newer state of its item. What was written stays, together with the version it was written about. Choices that the item
 * no longer offers are reset, and a signature ends with the document it was drawn under.
 */
export function followItem(form: DecisionForm, item: Item): DecisionForm {
  const choices = choicesOf(item)
  const verdict = choices.includes(form.verdict) ? form.verdict : (choices[0] ?? form.verdict)
  return {
    ...form,
    version: form.touched ? form.version : item.version,
    verdict,
    returnTo: item.returnTo.some(({ key }) => key === form.returnTo) ? form.returnTo : toSubmitter,
    people: verdict === form.verdict ? form.people.filter((id) => item.colleagues.some((one) => one.id === id)) : [],
    signature: form.signature?.hash === item.hash ? form.signature : undefined,
  }
}

export const write = (form: DecisionForm, part: Partial<Omit<DecisionForm, 'version' | 'touched'>>): DecisionForm => ({
  ...form,
  ...part,
  touched: true,
})

/** Whether the item has changed since the user began to write. */
export const isBehind = (form: DecisionForm, item: Pick<Item, 'version'>): boolean => form.touched && form.version < item.version

/** Messages at the fields that are missing, in Chinese; undefined where nothing is. */
export const problemsOf = ({ verdict, opinion, people, signature }: DecisionForm, item: Pick<Item, 'sign'>) => ({
  opinion: verdict === 'reject' && opinion.trim().length < 2 ? '请填写驳回原因（至少 2 个字）' : undefined,
  people: (verdict === 'transfer' || verdict === 'addSign') && people.length === 0 ? '请选择人员' : undefined,
  signature: verdict === 'pass' && item.sign && !signature ? '此步骤须手写签名' : undefined,
})

export const bodyOf = ({ version, verdict, opinion, returnTo, people, signature }: DecisionForm) => ({
  result: verdict,
  version,
  opinion: opinion.trim(),
  signature: verdict === 'pass' ? signature?.image : undefined,
  returnTo: verdict === 'reject' && returnTo !== toSubmitter ? returnTo : undefined,
  transferTo: verdict === 'transfer' ? people[0] : undefined,
  addSign: verdict === 'addSign' ? [...people] : undefined,
})

/**
 * Sends the form. `run` shows a refusal to the user and answers undefined: the form then stays as it is, otherwise it is emptied.
 */
export async function sendForm(
  run: (body: ReturnType<typeof bodyOf>) => Promise<object | undefined>,
  form: DecisionForm,
  item: Item,
): Promise<{ form: DecisionForm; done: boolean }> {
  const done = (await run(bodyOf(form))) !== undefined
  return { form: done ? newForm(item) : form, done }
}
