import { notify } from '#kit/notify.ts'
import { testWords } from './exec-words.ts'

/** Shows the result of a test notice by channel; a warning if any channel failed. */
export function tellTest({ sent }: { sent: readonly { channel: string; state: string; result: string }[] }): void {
  const words = testWords(sent)
  if (sent.length === 0 || sent.some((one) => one.state === 'failed')) notify.warning(words)
  else notify.success(words)
}
